import * as z from 'zod';

const folderSchema = z.string().max(4096).startsWith('/');

/** Of a hook: one line of JSON, answered by one. */
const hookMessageSchema = z.strictObject({
  kind: z.literal('hook'),
  /** Which agent's hook it is. */
  agent: z.string().min(1).max(100),
  /** What the agent handed to its hook, as it came. */
  payload: z.string(),
  /** Folder that the agent was started in. */
  cwd: folderSchema.optional(),
});

/** From a server of tools: the rest of the connection is the MCP traffic of a client with a server outside. */
const toolsMessageSchema = z.strictObject({
  kind: z.literal('tools'),
  cwd: folderSchema.optional(),
  role: z.string().min(1).max(100).optional(),
});

/** From `guardkit` inside the wrapper: a command to run outside. The rest of the connection is frames, both ways. */
const commandMessageSchema = z.strictObject({
  kind: z.literal('command'),
  args: z.array(z.string().max(1024 * 1024)).max(4096),
  cwd: folderSchema,
});

/** The first line that a client sends. */
export const brokerMessageSchema = z.discriminatedUnion('kind', [
  hookMessageSchema,
  toolsMessageSchema,
  commandMessageSchema,
]);

export type BrokerMessage = z.infer<typeof hookMessageSchema>;
export type ToolsMessage = z.infer<typeof toolsMessageSchema>;
export type CommandMessage = z.infer<typeof commandMessageSchema>;

export const brokerAnswerSchema = z.strictObject({
  exitCode: z.int().min(0).max(255),
  stdout: z.string(),
  stderr: z.string(),
});

export type BrokerAnswer = z.infer<typeof brokerAnswerSchema>;

/** As much as a hook reads, with room for what JSON adds to it. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024;
