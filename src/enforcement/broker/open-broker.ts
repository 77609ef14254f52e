import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type * as z from 'zod';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readProcess } from '../../platform/processes/process-table.ts';
import {
  type BrokerAnswer,
  type BrokerMessage,
  brokerMessageSchema,
  type CommandMessage,
  MAX_LINE_BYTES,
  type ToolsMessage,
} from './broker-message.ts';
import { brokerFolder, shortAddress } from './broker-socket.ts';

export interface BrokerContext {
  dataFolder: string;
  /** Unique part of the socket's name. */
  name?: string;
  /** The socket's path, for a broker that holds its lock: an existing file is a leftover. */
  file?: string;
  answer(message: BrokerMessage): Promise<BrokerAnswer>;
  /** Takes over a connection for tools (default: refused). */
  serveTools?: ((connection: Socket, message: ToolsMessage) => void) | undefined;
  /** Takes over a connection for a command (default: refused). */
  runCommand?: ((connection: Socket, message: CommandMessage) => void) | undefined;
}

export interface Broker {
  /** Must be visible in the sandbox. */
  socket: string;
  /** Stops listening and removes the socket; open connections continue. */
  retire(): void;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
/** For all incomplete messages together; an agent can open many connections. */
const MAX_HELD_BYTES = 2 * MAX_LINE_BYTES;
/** Time limit for sending a message. */
const MESSAGE_MS = 30_000;

/** Listens for agents in a sandbox, where the ledger cannot be written. */
export async function openBroker({ dataFolder, name, file, ...parts }: BrokerContext): Promise<Broker> {
  const folder = brokerFolder(dataFolder);
  makeFolder(folder, 0o700);
  chmodSync(folder, 0o700);
  removeStaleSockets(folder);
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

/** Removes the sockets of killed processes. */
function removeStaleSockets(folder: string): void {
  for (const file of readdirSync(folder)) {
    const pid = /^(\d{1,9})-.*\.sock$/.exec(file)?.[1];
    if (pid !== undefined && !readProcess(Number(pid))) rmSync(join(folder, file), { force: true });
  }
}

/** However long the socket's path is. */
export function listen(server: Server, socket: string): Promise<void> {
  const { address, release } = shortAddress(socket);
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      // A failed accept loses one message, whose sender then refuses.
      server.on('error', () => {});
      resolve();
    });
  }).finally(release);
}

type Answering = Pick<BrokerContext, 'answer' | 'serveTools' | 'runCommand'>;

function serve(connection: Socket, held: { bytes: number }, answering: Answering): void {
  let chunks: Buffer[] = [];
  let own = 0;
  let isComplete = false;
  const releaseBytes = () => {
    held.bytes -= own;
    own = 0;
    chunks = [];
  };
  const slow = setTimeout(() => connection.destroy(), MESSAGE_MS);
  const receive = (chunk: Buffer) => {
    // One message per connection; the rest is ignored.
    if (isComplete) return;
    const end = chunk.indexOf('\n');
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    own += chunk.length;
    held.bytes += chunk.length;
    if (own > MAX_LINE_BYTES || held.bytes > MAX_HELD_BYTES) return void connection.destroy();
    if (end < 0) return;
    isComplete = true;
    clearTimeout(slow);
    const line = Buffer.concat(chunks).toString('utf8');
    releaseBytes();
    const message = read(line);
    if (!message) return void connection.destroy();
    if (message.kind !== 'hook') {
      const { serveTools, runCommand } = answering;
      connection.off('data', receive);
      connection.pause();
      connection.unshift(chunk.subarray(end + 1));
      if (message.kind === 'tools' && serveTools) return serveTools(connection, message);
      if (message.kind === 'command' && runCommand) return runCommand(connection, message);
      return void connection.destroy();
    }
    reply(message, answering.answer).then(
      (text) => {
        // Do not wait for a client that does not read.
        connection.setTimeout(MESSAGE_MS, () => connection.destroy());
        connection.end(text);
      },
      () => connection.destroy(),
    );
  };
  connection.on('data', receive);
  connection.on('error', () => connection.destroy());
  connection.on('end', () => {
    // Disconnected in the middle of a message.
    if (!isComplete) connection.destroy();
  });
  connection.on('close', () => {
    clearTimeout(slow);
    releaseBytes();
  });
}

function read(line: string): z.infer<typeof brokerMessageSchema> | undefined {
  try {
    return brokerMessageSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Safe: an invalid message gets no answer, and its sender refuses.
    return undefined;
  }
}

async function reply(message: BrokerMessage, answer: BrokerContext['answer']): Promise<string> {
  return `${JSON.stringify(await answer(message))}\n`;
}
