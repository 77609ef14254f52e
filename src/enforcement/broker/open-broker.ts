import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type * as z from 'zod';
import { readProcess } from '../../platform/processes/process-table.ts';
import {
  type BrokerAnswer,
  type BrokerMessage,
  brokerMessageSchema,
  type CommandMessage,
  MAX_LINE_BYTES,
  type ToolsMessage,
} from './broker-message.ts';
import { brokerFolder } from './find-broker.ts';
import { shortAddress } from './short-address.ts';

export interface BrokerContext {
  dataFolder: string;
  /** Part of the socket's name that no other socket of this process has. */
  name?: string;
  /** The socket's path, in the broker folder, for a broker that holds its lock: a file that is there is a leftover. */
  file?: string;
  answer(message: BrokerMessage): Promise<BrokerAnswer>;
  /** Takes over a connection on which tools are asked for. Left out, there are none. */
  serveTools?: ((connection: Socket, message: ToolsMessage) => void) | undefined;
  /** Takes over a connection on which a command is to be run. Left out, none is. */
  runCommand?: ((connection: Socket, message: CommandMessage) => void) | undefined;
}

export interface Broker {
  /** To be shown to the sandbox. */
  socket: string;
  /** Takes no further connections and leaves its socket to others; those that are open go on. */
  retire(): void;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
/** Of all questions together that are not yet complete; an agent could begin as many as it likes. */
const MAX_HELD_BYTES = 2 * MAX_LINE_BYTES;
/** How long a question may take to be asked. */
const ASKING_MS = 30_000;

/** Lets agents in a sandbox, where the ledger cannot be written, reach the GuardKit that runs them. */
export async function openBroker({ dataFolder, name, file, ...parts }: BrokerContext): Promise<Broker> {
  const folder = brokerFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  removeDead(folder);
  const socket = file ?? join(folder, `${process.pid}-${name}.sock`);
  if (file !== undefined) rmSync(file, { force: true });
  const connections = new Set<Socket>();
  const held = { bytes: 0 };
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    serve(connection, held, parts);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, socket);
  chmodSync(socket, 0o600);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const retire = () => {
    if (!server.listening) return;
    server.close();
    rmSync(socket, { force: true });
  };
  return {
    socket,
    retire,
    async close() {
      retire();
      for (const connection of connections) connection.destroy();
      await closed;
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

type Answering = Pick<BrokerContext, 'answer' | 'serveTools' | 'runCommand'>;

function serve(connection: Socket, held: { bytes: number }, answering: Answering): void {
  let chunks: Buffer[] = [];
  let own = 0;
  let asked = false;
  const letGo = () => {
    held.bytes -= own;
    own = 0;
    chunks = [];
  };
  const slow = setTimeout(() => connection.destroy(), ASKING_MS);
  const hear = (chunk: Buffer) => {
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
    const message = read(line);
    if (!message) return void connection.destroy();
    if (message.kind !== 'hook') {
      const { serveTools, runCommand } = answering;
      connection.off('data', hear);
      connection.pause();
      connection.unshift(chunk.subarray(end + 1));
      if (message.kind === 'tools' && serveTools) return serveTools(connection, message);
      if (message.kind === 'command' && runCommand) return runCommand(connection, message);
      return void connection.destroy();
    }
    reply(message, answering.answer).then(
      (text) => {
        // One who does not listen is not waited for.
        connection.setTimeout(ASKING_MS, () => connection.destroy());
        connection.end(text);
      },
      () => connection.destroy(),
    );
  };
  connection.on('data', hear);
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

function read(line: string): z.infer<typeof brokerMessageSchema> | undefined {
  try {
    return brokerMessageSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Safe: what cannot be read is not answered, and whoever asked refuses then.
    return undefined;
  }
}

async function reply(message: BrokerMessage, answer: BrokerContext['answer']): Promise<string> {
  return `${JSON.stringify(await answer(message))}\n`;
}
