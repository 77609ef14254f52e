import { chmodSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../enforcement/broker/open-broker.ts';
import type { BrokerAtWork } from '../../enforcement/broker/serve-agents.ts';
import { noteAnswered } from '../../enforcement/broker/start-broker.ts';
import { hooksFolder, hooksSocket } from '../../enforcement/install/hook-client.ts';
import { isSeenByWrapped } from '../../enforcement/shell/wrapped-processes.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readHookRequest } from './hook-request.ts';
import { HookWorkers } from './hook-workers.ts';

/** As much as a hook reads, with room for an environment. */
const MAX_BODY_BYTES = 68 * 1024 * 1024;
/** Less than the client's deadline: shows it that the event is being answered. */
const HEARTBEAT_MS = 500;

export interface HookServer {
  /** Takes no further events; those at work are answered. */
  retire(): void;
  close(): Promise<void>;
}

export interface HookServerContext extends BrokerAtWork {
  dataFolder: string;
  /** A checkout's own idle time (undefined: the default). */
  noteIdle(checkout: string, idleMs: number): void;
}

/** The client is of another build. */
const OTHER_BUILD = 409;
/** The project has turned this off. */
const TURNED_OFF = 404;

/** Answers hook events on a socket that wrapped commands cannot see. */
export async function serveHooks(context: HookServerContext): Promise<HookServer> {
  const { dataFolder, count } = context;
  const folder = hooksFolder(dataFolder);
  makeFolder(folder, 0o700);
  chmodSync(folder, 0o700);
  // Such as a command that an earlier version of GuardKit wrapped. It could send events in the agent's name.
  if (isSeenByWrapped(realpathSync(folder), realpathSync(dataFolder)))
    throw new Error('a running command of an agent could reach the socket');
  const socket = hooksSocket(dataFolder);
  rmSync(socket, { force: true });
  const workers = new HookWorkers(dataFolder);
  let answered = false;
  const noteFirst = () => {
    if (!answered) noteAnswered(dataFolder);
    answered = true;
  };
  const server = createServer((request, response) => {
    void count(serveOne(request, response, { ...context, workers, noteFirst }));
  });
  // An agent's whole environment is in the body; no header needs room.
  server.headersTimeout = 5000;
  await listen(server, socket);
  chmodSync(socket, 0o600);
  const retire = () => {
    if (!server.listening) return;
    server.close();
    rmSync(socket, { force: true });
  };
  return {
    retire,
    async close() {
      retire();
      server.closeAllConnections();
      await workers.close();
    },
  };
}

interface ServedContext extends HookServerContext {
  workers: HookWorkers;
  noteFirst(): void;
}

async function serveOne(
  request: IncomingMessage,
  response: ServerResponse,
  { build, check, noteIdle, workers, noteFirst }: ServedContext,
): Promise<void> {
  const beat = setInterval(() => response.writeProcessing(), HEARTBEAT_MS);
  try {
    const body = await readBody(request);
    const agent = request.url?.slice(1) ?? '';
    const asked = request.method === 'POST' ? readHookRequest(agent, body) : undefined;
    if (!asked) return void response.writeHead(400).end();
    if (asked.build !== build) {
      response.writeHead(OTHER_BUILD).end();
      return check();
    }
    const { checkout, settings, output } = await workers.answer(asked);
    noteIdle(checkout, settings.idleMs);
    noteFirst();
    if (!output) return void response.writeHead(TURNED_OFF).end();
    const { exitCode, stdout, stderr } = output;
    const text = `${exitCode} ${Buffer.byteLength(stdout)}\n${stdout}${stderr}`;
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
  } catch {
    // Safe: the client asks the cold launcher.
    response.destroy();
  } finally {
    clearInterval(beat);
  }
}

/** Not with `for await`, which takes longer than everything else here. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      total += chunk.length;
      chunks.push(chunk);
      if (total > MAX_BODY_BYTES) request.destroy(new Error('too large'));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    // Without an end before it.
    request.on('close', () => reject(new Error('the client is gone')));
  });
}
