import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { GuardKitError } from '../../guardkit-error.ts';
import type { CommandMessage } from './broker-message.ts';
import { FrameReader, frame } from './command-frames.ts';
import { shortAddress } from './short-address.ts';

export interface OutsideCommand extends Omit<CommandMessage, 'kind'> {
  /** Left out, the command has no input, and none is taken from whoever else reads it. */
  input?: NodeJS.ReadableStream | undefined;
  stdout: NodeJS.WritableStream;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A session that has just begun may still be starting the broker. */
export const BROKER_WAIT_MS = 3000;
const POLL_MS = 50;

/** Inside the wrapper: has the broker run a command outside, passes its streams on, and gives its exit code. */
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

/** The first signal goes to the command, which may have something to clean up; the next one ends this process. */
function passSignals(connection: Socket): () => void {
  const pass = (signal: NodeJS.Signals) => {
    forget();
    connection.write(frame('signal', signal));
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return forget;
}

/** Waits for a broker that is just being started. */
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
    message: 'This runs inside the agent, and GuardKit’s broker outside is not running.',
    hint: HINT,
    cause,
  });
}

function brokerEnded(cause?: unknown): GuardKitError {
  return new GuardKitError({
    code: 'broker.ended',
    kind: 'outside',
    message: 'GuardKit’s broker ended before the command did; its result is not known.',
    hint: HINT,
    cause,
  });
}

function notStarted(why: string): GuardKitError {
  return new GuardKitError({
    code: 'broker.not-started',
    kind: 'outside',
    message: `GuardKit’s broker could not run the command: ${why}.`,
    hint: 'Run the command in a project that GuardKit is set up for, or in another terminal.',
  });
}
