import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../enforcement/broker/open-broker.ts';
import { hooksFolder, hooksSocket, serverFile } from '../../enforcement/install/hook-client.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { readProcess } from '../../platform/processes/process-table.ts';
import { readHookRequest } from './hook-request.ts';
import { HookWorkers } from './hook-workers.ts';

/** As much as a hook reads, with room for an environment. */
const MAX_BODY_BYTES = 68 * 1024 * 1024;
/** Less than the client's deadline: shows it that the event is being answered. */
const HEARTBEAT_MS = 500;
/** A worker that hangs this long is given up; the client then asks the cold launcher. */
const MAX_ANSWER_MS = 30_000;

export interface HookServer {
  /** Takes no further events; those at work are answered. */
  retire(): void;
  close(): Promise<void>;
}

export interface HookServerContext {
  dataFolder: string;
  /** Keeps the process alive while it works. */
  count<Result>(work: Promise<Result>): Promise<Result>;
}

/** Answers hook events on a socket that wrapped commands cannot see. */
export async function serveHooks({ dataFolder, count }: HookServerContext): Promise<HookServer> {
  const folder = hooksFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const socket = hooksSocket(dataFolder);
  rmSync(socket, { force: true });
  const workers = new HookWorkers(dataFolder);
  const server = createServer((request, response) => {
    void count(serveOne(request, response, workers));
  });
  // An agent's whole environment is in the body; no header needs room.
  server.headersTimeout = 5000;
  await listen(server, socket);
  chmodSync(socket, 0o600);
  writeFileAtomic(serverFile(dataFolder), `${process.pid} ${readProcess(process.pid)?.started} \n`, 0o600);
  const retire = () => {
    if (!server.listening) return;
    server.close();
    rmSync(socket, { force: true });
    rmSync(serverFile(dataFolder), { force: true });
  };
  return {
    retire,
    async close() {
      retire();
      server.closeAllConnections();
      workers.close();
    },
  };
}

async function serveOne(
  request: IncomingMessage,
  response: ServerResponse,
  workers: HookWorkers,
): Promise<void> {
  const beat = setInterval(() => response.writeProcessing(), HEARTBEAT_MS);
  const late = setTimeout(() => request.destroy(), MAX_ANSWER_MS);
  try {
    const body = await readBody(request);
    const agent = request.url?.slice(1) ?? '';
    const asked = request.method === 'POST' ? readHookRequest(agent, body) : undefined;
    if (!asked) return void response.writeHead(400).end();
    const { exitCode, stdout, stderr } = await workers.answer(asked);
    const text = `${exitCode} ${Buffer.byteLength(stdout)}\n${stdout}${stderr}`;
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
  } catch {
    // Safe: the client asks the cold launcher.
    response.destroy();
  } finally {
    clearInterval(beat);
    clearTimeout(late);
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
