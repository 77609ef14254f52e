import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GuardKitError } from '../../guardkit-error.ts';
import { DashboardAccess } from './access.ts';
import type { ReadAnswer, ReadRequest } from './api/read-request.ts';
import { LedgerWatch } from './ledger-watch.ts';
import { serveRequest } from './serve-request.ts';
import { forgetServer, noteServer, rememberedPort, runningPort } from './server-file.ts';

const ADDRESS = '127.0.0.1';
const MAX_HEADER_BYTES = 16 * 1024;

export interface DashboardContext {
  dataFolder: string;
  /** Default: the port of the last time, or a free one. */
  port?: number | undefined;
  read(request: ReadRequest): Promise<ReadAnswer>;
  /** Told when the first request or stream begins and the last one ends. */
  onBusy?(isBusy: boolean): void;
}

export interface Dashboard {
  port: number;
  /** Takes no further connections and ends the streams, so that pages connect to another process. */
  retire(): void;
  close(): Promise<void>;
}

/** Serves the dashboard on loopback. */
export async function startDashboard({
  dataFolder,
  port,
  read,
  onBusy = () => {},
}: DashboardContext): Promise<Dashboard> {
  const access = new DashboardAccess(dataFolder);
  const watch = new LedgerWatch(dataFolder);
  const streams = new Set<ServerResponse>();
  let active = 0;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, async (request, response) => {
    active += 1;
    if (active === 1) onBusy(true);
    await serveRequest(request, response, { access, watch, read, streams }).catch(() => response.destroy());
    active -= 1;
    if (active === 0) onBusy(false);
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  const bound = await listenOn(server, dataFolder, port);
  noteServer(dataFolder, bound);
  const retire = () => {
    forgetServer(dataFolder, bound);
    if (server.listening) server.close();
    for (const stream of streams) stream.end();
  };
  return {
    port: bound,
    retire,
    async close() {
      retire();
      server.closeAllConnections();
      watch.close();
    },
  };
}

/** The address to open, with a token that is valid once. It is in the fragment, which browsers send to no server. */
export function dashboardUrl(dataFolder: string, port: number): string {
  return `http://${ADDRESS}:${port}/#ticket=${new DashboardAccess(dataFolder).issueTicket()}`;
}

async function listenOn(server: Server, dataFolder: string, port: number | undefined): Promise<number> {
  if (port !== undefined) {
    if (await listens(server, port)) return portOf(server);
    throw new GuardKitError({
      code: 'dashboard.port-taken',
      kind: 'outside',
      message: `--port ${port}: another program uses this port.`,
      hint: 'Use another port, or omit --port.',
    });
  }
  const known = rememberedPort(dataFolder);
  if (known !== undefined && (await listens(server, known))) return known;
  // Open pages have sent their tokens to the program that took the port, perhaps another user's.
  if (known !== undefined && runningPort(dataFolder) !== known) new DashboardAccess(dataFolder).endSessions();
  await listens(server, 0);
  return portOf(server);
}

/** False if the port is taken. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(port, ADDRESS, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
