import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { endGroup, signalGroup } from '../../platform/processes/end-processes.ts';
import { LiveGroup } from '../../platform/processes/live-groups.ts';
import { type Frame, FrameReader, frame } from './command-frames.ts';

/** How a program is started for an agent. */
export interface AgentCommand {
  /** Program and arguments. */
  words: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const PASSED_SIGNALS: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'] satisfies NodeJS.Signals[];
/** A verification that is cut off ends its own sandboxes first. */
const CLEAN_UP_MS = 10_000;

/**
 * Runs a command for a client inside the wrapper, which sends its input and gets its output and exit code. A client that
 * goes away ends the command with its group. Resolves when the command has ended.
 */
export function runForAgent(connection: Socket, command: AgentCommand): Promise<void> {
  return new Promise((resolve) => {
    const started = startGroup(command);
    const { child } = started;
    const reader = new FrameReader();
    const send = (content: Buffer) => connection.writable && connection.write(content);
    const finish = (last: Buffer) => {
      started.ended();
      connection.end(last);
      resolve();
    };
    const take = ({ type, content }: Frame) => {
      if (type === 'input-end') child.stdin?.end();
      else if (type === 'input') writeOrPause(child, connection, content);
      else if (type === 'signal') started.signal(content.toString('latin1'));
    };
    connection.on('data', (chunk: Buffer) => {
      try {
        for (const one of reader.read(chunk)) take(one);
      } catch {
        // Safe: closing the connection ends the command.
        connection.destroy();
      }
    });
    connection.on('close', () => started.abandon());
    connection.resume();
    child.stdin?.on('error', () => {});
    for (const [stream, type] of [
      [child.stdout, 'output'],
      [child.stderr, 'errors'],
    ] as const)
      stream?.on('data', (chunk: Buffer) => pauseUntilSent(stream, connection, send(frame(type, chunk))));
    child.once('error', (error) => finish(frame('failed', error.message)));
    child.once('close', (code, signal) => finish(frame('exit', Uint8Array.of(exitCode(code, signal)))));
  });
}

/** Connects a client with a program that speaks on its standard streams, until either ends. */
export function joinStreams(connection: Socket, command: AgentCommand): Promise<void> {
  return new Promise((resolve) => {
    const started = startGroup(command);
    const { child } = started;
    child.stdin?.on('error', () => {});
    child.stderr?.resume();
    if (child.stdin) connection.pipe(child.stdin);
    child.stdout?.pipe(connection);
    connection.on('close', () => started.abandon());
    const finish = () => {
      started.ended();
      connection.end();
      resolve();
    };
    child.once('error', finish);
    child.once('close', finish);
  });
}

/** Runs a command to its end with a given input. Fails when it cannot be started. */
export function collectOutput(
  command: AgentCommand,
  input: string,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const started = startGroup(command);
    const { child } = started;
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const chunks: Buffer[] = [];
      stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
      return chunks;
    });
    const text = (chunks: readonly Buffer[] = []) => Buffer.concat(chunks).toString('utf8');
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', (error) => {
      started.ended();
      reject(error);
    });
    child.once('close', (code, signal) => {
      started.ended();
      resolve({ exitCode: exitCode(code, signal), stdout: text(stdout), stderr: text(stderr) });
    });
  });
}

interface StartedGroup {
  child: ChildProcess;
  signal(name: string): void;
  /** Nobody waits for it any more: it may clean up, and is then killed with its group. */
  abandon(): void;
  ended(): void;
}

function startGroup({ words: [program, ...args], cwd, env }: AgentCommand): StartedGroup {
  const live = new LiveGroup();
  let child: ChildProcess;
  try {
    child = spawn(program, args, { cwd, env, detached: true, stdio: 'pipe' });
  } catch (error) {
    live.ended();
    throw error;
  }
  live.id = child.pid;
  let over = false;
  let killing: NodeJS.Timeout | undefined;
  const signal = (name: string) => {
    if (!over && child.pid !== undefined && PASSED_SIGNALS.includes(name))
      signalGroup(child.pid, name as NodeJS.Signals);
  };
  return {
    child,
    signal,
    abandon() {
      if (over || killing) return;
      signal('SIGTERM');
      killing = setTimeout(() => {
        if (child.pid !== undefined) void endGroup(child.pid);
      }, CLEAN_UP_MS);
    },
    ended() {
      over = true;
      clearTimeout(killing);
      live.ended();
    },
  };
}

/** As a shell gives it. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

function writeOrPause({ stdin }: ChildProcess, connection: Socket, content: Buffer): void {
  if (!stdin?.writable || stdin.write(content)) return;
  connection.pause();
  stdin.once('drain', () => connection.resume());
  stdin.once('close', () => connection.resume());
}

function pauseUntilSent(stream: Readable, connection: Socket, sent: boolean): void {
  if (sent || !connection.writable) return;
  stream.pause();
  connection.once('drain', () => stream.resume());
  connection.once('close', () => stream.resume());
}
