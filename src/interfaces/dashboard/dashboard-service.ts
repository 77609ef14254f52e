import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { shortAddress } from '../../enforcement/broker/broker-socket.ts';
import { listen } from '../../enforcement/broker/open-broker.ts';
import type { BrokerAtWork, FurtherService } from '../../enforcement/broker/serve-agents.ts';
import { hooksFolder } from '../../enforcement/install/hook-client.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { DashboardAccess } from './access.ts';
import { DashboardThread } from './dashboard-thread.ts';
import { rememberedPort } from './server-file.ts';

const MAX_WAIT_MS = 15_000;
const ANY_PORT = '/any';

/** Beside the hooks' socket, where wrapped commands do not see it. */
function serviceSocket(dataFolder: string): string {
  return join(hooksFolder(dataFolder), 'dashboard.sock');
}

/** In the resident process: opens the dashboard when `guardkit ui` asks, and at once if pages may be waiting for it. */
export async function dashboardService({
  dataFolder,
  count,
}: Pick<BrokerAtWork, 'count'> & { dataFolder: string }): Promise<FurtherService> {
  const folder = hooksFolder(dataFolder);
  makeFolder(folder, 0o700);
  chmodSync(folder, 0o700);
  const socket = serviceSocket(dataFolder);
  rmSync(socket, { force: true });
  const thread = new DashboardThread(dataFolder, count);
  const server = createServer((request, response) => {
    void count(answer(request, response, thread).catch(() => void response.destroy()));
  });
  await listen(server, socket);
  chmodSync(socket, 0o600);
  // A failure is reported by the next `guardkit ui`.
  if (isInUse(dataFolder)) void thread.open(undefined);
  const retire = () => {
    if (server.listening) {
      server.close();
      rmSync(socket, { force: true });
    }
    thread.retire();
  };
  return {
    retire,
    async close() {
      retire();
      server.closeAllConnections();
      await thread.close();
    },
  };
}

/** Creates nothing where nobody has used the dashboard. */
function isInUse(dataFolder: string): boolean {
  if (!existsSync(join(dataFolder, 'dashboard', 'port'))) return false;
  return rememberedPort(dataFolder) !== undefined && new DashboardAccess(dataFolder).isInUse();
}

async function answer(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  thread: DashboardThread,
): Promise<void> {
  const port = url === ANY_PORT ? undefined : Number(/^\/(\d{1,5})$/.exec(url)?.[1]);
  if (Number.isNaN(port)) return void response.writeHead(400).end();
  response.end(JSON.stringify(await thread.open(port)));
}

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
