import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { endGroup, LiveGroup, signalGroup } from '../../platform/processes/end-processes.ts';
import { environmentOf, isRunning } from '../../platform/processes/process-table.ts';
import { INSIDE_AGENT_VARIABLE } from '../../platform/processes/wrapper-profile.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { LEFT_OUT_VARIABLES } from '../install/hook-launcher.ts';
import { programFile } from '../install/own-package.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import { type Frame, FrameReader, frame } from './command-frames.ts';

/**
 * SIGUSR1 makes Node open its inspector, through which any process of the same user could run code in it. On a reserved
 * address (RFC 5737) it cannot listen.
 */
export const WITHOUT_INSPECTOR = '--inspect-port=192.0.2.1:9229';

const LEFT_OUT: ReadonlySet<string> = new Set([...LEFT_OUT_VARIABLES.split(' '), 'GUARDKIT_RUN']);

interface AgentCommandContext {
  dataFolder: string;
  /** The broker's own environment, used if no agent of a person runs in the folder. */
  env: NodeJS.ProcessEnv;
}

/** GuardKit's own program with the person's environment and an agent's rights. The client's environment is ignored. */
export function agentCommand(
  { dataFolder, env }: AgentCommandContext,
  args: readonly string[],
  cwd: string,
): AgentCommand {
  const given = Object.entries(personsProgramEnvironment(dataFolder, cwd) ?? env);
  return {
    words: [process.execPath, WITHOUT_INSPECTOR, programFile(), ...args],
    cwd,
    env: {
      ...Object.fromEntries(given.filter(([name]) => !LEFT_OUT.has(name))),
      GUARDKIT_HOME: dataFolder,
      [INSIDE_AGENT_VARIABLE]: '1',
    },
  };
}

/**
 * Refuses a repository that no person has set up: in a repository of its own, an agent could configure what GuardKit runs
 * outside the wrapper.
 */
export function requireSetUp({ dataFolder }: Pick<AgentCommandContext, 'dataFolder'>, cwd: string): void {
  const git = findGitFolder(cwd);
  if (!git || !existsSync(shellFolder(dataFolder, git).path))
    throw new Error(`${cwd} is not in a repository that \`guardkit init\` has set up`);
}

const sessionSchema = z.object({
  checkout: z.string(),
  process: z.object({ pid: z.int(), started: z.number() }).nullable(),
});

/**
 * The environment that a person gave the agent program in a checkout, from its latest session whose hooks ran outside the
 * wrapper. Undefined if no such program runs.
 */
function personsProgramEnvironment(dataFolder: string, cwd: string): NodeJS.ProcessEnv | undefined {
  const path = join(dataFolder, 'ledger.db');
  const git = findGitFolder(cwd);
  if (!git || !existsSync(path)) return undefined;
  const checkout = realpathSync(git.root);
  const ledger = openLedger({ path });
  try {
    const sessions = new WatchTables(ledger)
      .sessions()
      .sort((one, other) => other.seen_at - one.seen_at)
      .flatMap(({ body }) => sessionSchema.safeParse(JSON.parse(body)).data ?? []);
    for (const { process, checkout: own } of sessions) {
      if (own !== checkout || process === null || !isRunning(process)) continue;
      const entries = environmentOf(process.pid);
      if (entries.length > 0) return asEnvironment(entries);
    }
    return undefined;
  } finally {
    ledger.close();
  }
}

function asEnvironment(entries: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf('=');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
    }),
  );
}

/** A program to start for an agent. */
export interface AgentCommand {
  /** Program and arguments. */
  words: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const PASSED_SIGNALS: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'] satisfies NodeJS.Signals[];
/** An aborted verification needs time to end its own sandboxes. */
const CLEAN_UP_MS = 10_000;

/**
 * Runs a command for a client inside the wrapper, which sends the input and receives output and exit code. If the client
 * disconnects, the command's process group is ended. Resolves when the command has ended.
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

/** Connects a client to a program's standard streams, until either ends. */
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

/** Runs a command to its end. Rejects if it cannot be started. */
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
  /** The client is gone: SIGTERM, then SIGKILL for the group. */
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

/** As a shell reports it. */
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
