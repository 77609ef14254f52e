import type { Readable, Writable } from 'node:stream';
import type { ToolsMessage } from './broker-message.ts';
import { connectToBroker } from './run-outside.ts';

/** Agent programs start their servers of tools while the session's first hook still starts the broker. */
const WAIT_MS = 10_000;

/** Passes the MCP traffic between a client in the sandbox and the server of tools outside, until either ends. */
export async function relayToBroker(
  socket: string,
  input: Readable,
  output: Writable,
  asked: Omit<ToolsMessage, 'kind'> = {},
  waitMs = WAIT_MS,
): Promise<void> {
  const connection = await connectToBroker(socket, waitMs);
  await new Promise<void>((resolve, reject) => {
    connection.write(`${JSON.stringify({ kind: 'tools', ...asked } satisfies ToolsMessage)}\n`);
    input.pipe(connection);
    connection.pipe(output, { end: false });
    connection.on('error', (error) => reject(error));
    connection.on('close', () => {
      input.unpipe(connection);
      input.pause();
      resolve();
    });
    // A reader that has gone does not come back.
    output.on('error', () => connection.destroy());
  });
}
