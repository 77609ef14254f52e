import type { Readable, Writable } from 'node:stream';
import type { McpServerContext } from './mcp-context.ts';

/** Where a server talks: the process, or what a test puts in its place. */
export interface McpStreams extends McpServerContext {
  stdin: Readable;
  stdout: Writable;
  /** A person sits there instead of a client. */
  isTerminal?: boolean;
  /** For people: a client shows or keeps it, and never reads it as an answer. */
  complain(text: string): void;
}
