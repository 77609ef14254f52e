import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../enforcement/broker/open-broker.ts';
import type { BrokerAtWork, FurtherService } from '../../enforcement/broker/serve-agents.ts';
import { hooksFolder } from '../../enforcement/install/hook-client.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { DashboardAccess } from './access.ts';
import { DashboardThread } from './dashboard-thread.ts';
import { rememberedPort } from './server-file.ts';

/** The path that asks for no particular port. */
export const ANY_PORT = '/any';

/** Beside the hooks' socket, where wrapped commands do not see it. */
export function serviceSocket(dataFolder: string): string {
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
