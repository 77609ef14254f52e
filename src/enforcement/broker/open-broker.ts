import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { readProcess } from '../../platform/process-table.ts';
import {
  type BrokerAnswer,
  type BrokerMessage,
  brokerMessageSchema,
  MAX_LINE_BYTES,
} from './broker-message.ts';
import { brokerFolder } from './find-broker.ts';
import { shortAddress } from './short-address.ts';

export interface BrokerParts {
  dataFolder: string;
  /** Of the socket, unlike any other's of this process. */
  name: string;
  answer(message: BrokerMessage): Promise<BrokerAnswer>;
}

export interface Broker {
  /** To be shown to the sandbox. */
  socket: string;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
/** Of all questions together that are not yet complete; an agent could begin as many as it likes. */
const MAX_HELD_BYTES = 2 * MAX_LINE_BYTES;
/** How long a question may take to be asked. */
const ASKING_MS = 30_000;

/** Lets agents in a sandbox, where the ledger cannot be written, reach the GuardKit that runs them. */
export async function openBroker({ dataFolder, name, answer }: BrokerParts): Promise<Broker> {
  const folder = brokerFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  removeDead(folder);
  const socket = join(folder, `${process.pid}-${name}.sock`);
  const connections = new Set<Socket>();
  const held = { bytes: 0 };
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    serve(connection, held, answer);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, socket);
  chmodSync(socket, 0o600);
  return {
    socket,
    async close() {
      for (const connection of connections) connection.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(socket, { force: true });
    },
  };
}

/** Sockets of processes that were killed. */
function removeDead(folder: string): void {
  for (const file of readdirSync(folder)) {
    const pid = /^(\d{1,9})-.*\.sock$/.exec(file)?.[1];
    if (pid !== undefined && !readProcess(Number(pid))) rmSync(join(folder, file), { force: true });
  }
}

function listen(server: Server, socket: string): Promise<void> {
  const { address, release } = shortAddress(socket);
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      // An accept that fails ends one question, which is refused then.
      server.on('error', () => {});
      resolve();
    });
  }).finally(release);
}

function serve(connection: Socket, held: { bytes: number }, answer: BrokerParts['answer']): void {
  let chunks: Buffer[] = [];
  let own = 0;
  let asked = false;
  const letGo = () => {
    held.bytes -= own;
    own = 0;
    chunks = [];
  };
  const slow = setTimeout(() => connection.destroy(), ASKING_MS);
  connection.on('data', (chunk: Buffer) => {
    // One question, whatever else comes.
    if (asked) return;
    const end = chunk.indexOf('\n');
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    own += chunk.length;
    held.bytes += chunk.length;
    if (own > MAX_LINE_BYTES || held.bytes > MAX_HELD_BYTES) return void connection.destroy();
    if (end < 0) return;
    asked = true;
    clearTimeout(slow);
    const line = Buffer.concat(chunks).toString('utf8');
    letGo();
    reply(line, answer).then(
      (text) => {
        // One who does not listen is not waited for.
        connection.setTimeout(ASKING_MS, () => connection.destroy());
        connection.end(text);
      },
      () => connection.destroy(),
    );
  });
  connection.on('error', () => connection.destroy());
  connection.on('end', () => {
    // Hung up in the middle of a question.
    if (!asked) connection.destroy();
  });
  connection.on('close', () => {
    clearTimeout(slow);
    letGo();
  });
}

async function reply(line: string, answer: BrokerParts['answer']): Promise<string> {
  return `${JSON.stringify(await answer(brokerMessageSchema.parse(JSON.parse(line))))}\n`;
}
