import * as z from 'zod';

/** Of a hook: one line of JSON, answered by one. */
const hookMessageSchema = z.strictObject({
  kind: z.literal('hook'),
  /** Which agent's hook it is. */
  agent: z.string().min(1).max(100),
  /** What the agent handed to its hook, as it came. */
  payload: z.string(),
});

/** Of a server of tools: what follows on the same connection is the talk of a client with one outside. */
const toolsMessageSchema = z.strictObject({ kind: z.literal('tools') });

/** The first line of what is said through the socket. */
export const brokerMessageSchema = z.discriminatedUnion('kind', [hookMessageSchema, toolsMessageSchema]);

export type BrokerMessage = z.infer<typeof hookMessageSchema>;

export const brokerAnswerSchema = z.strictObject({
  exitCode: z.int().min(0).max(255),
  stdout: z.string(),
  stderr: z.string(),
});

export type BrokerAnswer = z.infer<typeof brokerAnswerSchema>;

/** As much as a hook reads, with room for what JSON adds to it. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024;
