import * as z from 'zod';

/** What is asked through the socket: one line of JSON, answered by one. */
export const brokerMessageSchema = z.strictObject({
  kind: z.literal('hook'),
  /** Which agent's hook it is. */
  agent: z.string().min(1).max(100),
  /** What the agent handed to its hook, as it came. */
  payload: z.string(),
});

export type BrokerMessage = z.infer<typeof brokerMessageSchema>;

export const brokerAnswerSchema = z.strictObject({
  exitCode: z.int().min(0).max(255),
  stdout: z.string(),
  stderr: z.string(),
});

export type BrokerAnswer = z.infer<typeof brokerAnswerSchema>;

/** As much as a hook reads, with room for what JSON adds to it. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024;
