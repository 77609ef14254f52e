import * as z from 'zod';

const folderSchema = z.string().max(4096).startsWith('/');

/** From a hook: one line of JSON, with one line as the answer. */
const hookMessageSchema = z.strictObject({
  kind: z.literal('hook'),
  agent: z.string().min(1).max(100),
  /** The agent's input to the hook, unchanged. */
  payload: z.string(),
  /** Folder that the agent was started in. */
  cwd: folderSchema.optional(),
});

/** From an MCP client: the rest of the connection is MCP traffic with a server outside. */
const toolsMessageSchema = z.strictObject({
  kind: z.literal('tools'),
  cwd: folderSchema.optional(),
  role: z.string().min(1).max(100).optional(),
});

/** From `guardkit` inside the wrapper: a command to run outside. The rest of the connection is frames in both directions. */
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

/** A hook's input limit, plus room for JSON escapes. */
export const MAX_LINE_BYTES = 96 * 1024 * 1024;
