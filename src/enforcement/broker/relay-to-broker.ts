import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { shortAddress } from './short-address.ts';

/** In a sandbox: hands on, byte by byte, what a client and the server of tools outside say to each other, until one ends. */
export function relayToBroker(socket: string, input: Readable, output: Writable): Promise<void> {
  const { address, release } = shortAddress(socket);
  return new Promise<void>((resolve, reject) => {
    const connection = connect(address, () => {
      connection.write(`${JSON.stringify({ kind: 'tools' })}\n`);
      input.pipe(connection);
      connection.pipe(output, { end: false });
    });
    connection.on('error', (error) => reject(error));
    connection.on('close', () => {
      input.unpipe(connection);
      input.pause();
      resolve();
    });
    // A reader that has gone does not come back.
    output.on('error', () => connection.destroy());
  }).finally(release);
}
