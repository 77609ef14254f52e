import { connect, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import { ENDING_SIGNALS } from '../../platform/processes/end-processes.ts';
import type { CommandMessage, ToolsMessage } from './broker-message.ts';
import { shortAddress } from './broker-socket.ts';
import { FrameReader, frame } from './command-frames.ts';

export interface OutsideCommand extends Omit<CommandMessage, 'kind'> {
  /** Default: no input. */
  input?: NodeJS.ReadableStream | undefined;
  stdout: NodeJS.WritableStream;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

/** A session that has just started may still be starting the broker. */
export const BROKER_WAIT_MS = 3000;
const POLL_MS = 50;

/** Runs a command outside the wrapper through the broker, with its streams, and returns its exit code. */
export async function runOutside(
  socket: string,
  { input, stdout, stderr, ...command }: OutsideCommand,
  waitMs = BROKER_WAIT_MS,
): Promise<number> {
  const connection = await connectToBroker(socket, waitMs);
  connection.write(`${JSON.stringify({ kind: 'command', ...command } satisfies CommandMessage)}\n`);
  const forget = passSignals(connection);
  const sendInput = (chunk: Buffer | string) => {
    if (connection.write(frame('input', chunk)) || !input) return;
    input.pause();
    connection.once('drain', () => input.resume());
  };
  const endInput = () => connection.write(frame('input-end'));
  input?.on('data', sendInput).once('end', endInput);
  if (!input) endInput();
  try {
    return await readAnswer(connection, stdout, stderr);
  } finally {
    forget();
    input?.off('data', sendInput).off('end', endInput).pause();
    connection.destroy();
  }
}

function readAnswer(
  connection: Socket,
  stdout: OutsideCommand['stdout'],
  stderr: OutsideCommand['stderr'],
): Promise<number> {
  const reader = new FrameReader();
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      for (const { type, content } of reader.read(chunk)) {
        if (type === 'exit') resolve(content.readUInt8(0));
        else if (type === 'failed') reject(notStarted(content.toString('utf8')));
        else if (type === 'errors') stderr.write(content);
        else if (type === 'output' && !stdout.write(content)) {
          connection.pause();
          stdout.once('drain', () => connection.resume());
        }
      }
    };
    connection.on('data', (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        reject(brokerEnded(error));
      }
    });
    connection.on('error', (error) => reject(brokerEnded(error)));
    connection.on('close', () => reject(brokerEnded()));
  });
}

/** The first signal goes to the command, which may need to clean up; the next one ends this process. */
function passSignals(connection: Socket): () => void {
  const pass = (signal: NodeJS.Signals) => {
    forget();
    connection.write(frame('signal', signal));
  };
  const forget = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, pass);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, pass);
  return forget;
}

/** Waits for a broker that is still starting. */
export async function connectToBroker(socket: string, waitMs = BROKER_WAIT_MS): Promise<Socket> {
  for (const began = Date.now(); ; await delay(POLL_MS)) {
    try {
      return await connectOnce(socket);
    } catch (error) {
      if (Date.now() - began >= waitMs) throw notRunning(error);
    }
  }
}

export async function connectOnce(socket: string): Promise<Socket> {
  const { address, release } = shortAddress(socket);
  return new Promise<Socket>((resolve, reject) => {
    const connection = connect(address);
    connection.once('error', reject);
    connection.once('connect', () => {
      connection.off('error', reject);
      resolve(connection);
    });
  }).finally(release);
}

const HINT = 'Run the command in another terminal, or restart the agent’s session.';

function notRunning(cause: unknown): GuardKitError {
  return new GuardKitError({
    code: 'broker.not-running',
    kind: 'outside',
    message: 'GuardKit’s broker is not running, and commands run by an agent need it.',
    hint: HINT,
    cause,
  });
}

function brokerEnded(cause?: unknown): GuardKitError {
  return new GuardKitError({
    code: 'broker.ended',
    kind: 'outside',
    message: 'GuardKit’s broker ended before the command did; the result of the command is unknown.',
    hint: HINT,
    cause,
  });
}

function notStarted(why: string): GuardKitError {
  return new GuardKitError({
    code: 'broker.not-started',
    kind: 'outside',
    message: `GuardKit’s broker could not run the command: ${why}.`,
    hint: 'Run the command in a project that is set up with `guardkit init`, or in another terminal.',
  });
}

/** Agent programs start their MCP servers while the session's first hook is still starting the broker. */
const WAIT_MS = 10_000;

/** Relays MCP traffic between a client in the sandbox and the server outside, until either ends. */
export async function relayToBroker(
  socket: string,
  input: Readable,
  output: Writable,
  asked: Omit<ToolsMessage, 'kind'> = {},
  waitMs = WAIT_MS,
): Promise<void> {
  const connection = await connectToBroker(socket, waitMs);
  await new Promise<void>((resolve, reject) => {
    connection.write(`${JSON.stringify({ kind: 'tools', ...asked } satisfies ToolsMessage)}\n`);
    input.pipe(connection);
    connection.pipe(output, { end: false });
    connection.on('error', (error) => reject(error));
    connection.on('close', () => {
      input.unpipe(connection);
      input.pause();
      resolve();
    });
    // The reader is gone.
    output.on('error', () => connection.destroy());
  });
}
