import { request as httpRequest } from 'node:http';
import * as z from 'zod';
import { shortAddress } from '../../enforcement/broker/broker-socket.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { ANY_PORT, serviceSocket } from './dashboard-service.ts';

const MAX_WAIT_MS = 15_000;

const openedSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), port: z.int() }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

/** Asks the resident process to serve the dashboard, and returns its port; undefined if it does not answer. */
export async function askService(dataFolder: string, port: number | undefined): Promise<number | undefined> {
  const text = await ask(serviceSocket(dataFolder), port === undefined ? ANY_PORT : `/${port}`);
  if (text === undefined) return undefined;
  const opened = openedSchema.parse(JSON.parse(text));
  if (opened.type === 'opened') return opened.port;
  const { code, message, hint } = opened;
  throw new GuardKitError({ code, kind: 'outside', message, hint });
}

function ask(socket: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { address, release } = shortAddress(socket);
    const asked = httpRequest({ socketPath: address, path, timeout: MAX_WAIT_MS }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : undefined);
    });
    asked.on('timeout', () => asked.destroy());
    // Safe: this process then serves the dashboard itself.
    asked.on('error', () => resolve(undefined));
    asked.on('close', release);
    asked.end();
  });
}
