import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../../domain/evidence.ts';
import { sha256 } from '../../domain/json.ts';
import { commandEnvironment } from '../../platform/command-environment.ts';
import { runCommand } from '../../platform/run-command.ts';
import type { ProcessResult } from '../../platform/run-process.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import { CACHE_FOLDERS } from '../rooms/dependency-folders.ts';
import { tapFolder } from '../runners/tap-folder.ts';
import { evidenceFolder } from './evidence-files.ts';
import type { RunContext, RunTree } from './run-context.ts';

export interface RoomCommand {
  check: string;
  command: string;
  timeoutMs: number;
  on: RunTree;
  /** Unless the context's. */
  network?: SandboxPolicy['network'];
  /** Set-up fills the dependency folders, which are read-only to everything else. */
  installs?: boolean;
  /** What is added to the environment that the command would have. */
  env?: (runFolder: string, base: NodeJS.ProcessEnv) => Readonly<Record<string, string>>;
  /** What it has to read of GuardKit's own, beside the taps. */
  readable?: readonly string[];
  /** What is really started, where that is not the command's own text. */
  started?: string;
}

/** A command that has ended, and the evidence of it as far as every command has it. */
export interface RoomRun {
  result: ProcessResult;
  evidence: Evidence;
  /** A folder outside of the room that the command could write to. Gone after `use`. */
  runFolder: string;
}

const LOG_BYTES = 16 * 1024 * 1024;
const OUTPUT_BYTES = 256 * 1024 * 1024;
const TAIL_CHARACTERS = 4000;

/** Runs a command in the room, and hands what came of it to `use` while its files are still there. */
export async function runInRoom<Result>(
  context: RunContext,
  command: RoomCommand,
  use: (run: RoomRun) => Promise<Result>,
): Promise<Result> {
  const id = `EV-${randomBytes(6).toString('hex')}`;
  const runFolder = join(context.home, 'runs', id);
  mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  context.emit({ type: 'run_began', check: command.check, on: command.on.is, command: command.command });
  try {
    const result = await start(context, command, runFolder, id);
    return await use({ result, evidence: describeRun(context, command, result, id), runFolder });
  } finally {
    rmSync(runFolder, { recursive: true, force: true });
  }
}

function start(
  context: RunContext,
  command: RoomCommand,
  runFolder: string,
  id: string,
): Promise<ProcessResult> {
  const { sandbox, room, network, env, signal } = context;
  room.disturb();
  if (!sandbox.available && !room.state.exposed) room.remember({ ...room.state, exposed: true });
  const base = commandEnvironment(env, { sandboxed: sandbox.available });
  return runCommand(command.started ?? command.command, {
    cwd: room.folder,
    env: { ...base, ...command.env?.(runFolder, base) },
    timeoutMs: command.timeoutMs,
    maxOutputBytes: OUTPUT_BYTES,
    log: { path: join(evidenceFolder(context), `${id}.log`), maxBytes: LOG_BYTES },
    ...(signal ? { signal } : {}),
    ...(sandbox.available
      ? {
          sandbox: {
            status: sandbox,
            policy: roomPolicy(context, command, command.network ?? network, runFolder),
          },
        }
      : {}),
  });
}

/** Only the room and the run's own folder can be written; GuardKit's data cannot even be read. */
function roomPolicy(
  { home, room, repository }: RunContext,
  { installs = false, readable = [] }: RoomCommand,
  network: SandboxPolicy['network'],
  runFolder: string,
): SandboxPolicy {
  const dependencies = installs
    ? []
    : room.state.dependencyFolders
        .map((folder) => join(room.folder, folder))
        .filter((path) => existsSync(path));
  const caches = dependencies.flatMap((folder) => CACHE_FOLDERS.map((cache) => join(folder, cache)));
  return {
    writable: [room.folder, runFolder, ...caches.filter((path) => existsSync(path))],
    // Tests may ask git about their checkout, and the sandbox shows nothing of a repository that lies in /tmp.
    readOnly: [
      join(room.folder, '.git'),
      repository.folder.commonDir,
      ...dependencies,
      ...ownPrograms(),
      ...readable,
    ],
    hidden: [home],
    network,
  };
}

/** What GuardKit loads into runners and starts beside checks; it may itself be installed where a sandbox shows nothing. */
function ownPrograms(): string[] {
  return [tapFolder(), process.execPath];
}

function describeRun(context: RunContext, command: RoomCommand, result: ProcessResult, id: string): Evidence {
  return {
    id,
    feature_id: context.featureId,
    task_id: context.taskId,
    check: command.check,
    tree: command.on.tree,
    tree_is: command.on.is,
    base_commit: context.baseCommit,
    manual: false,
    reason: '',
    by: 'guardkit',
    command: command.command,
    command_hash: sha256(command.command),
    exit: result.exitCode,
    signal: result.signal,
    timed_out: result.timedOut,
    tests: null,
    coverage: null,
    found: '',
    output_digest: result.outputDigest,
    output_bytes: result.outputBytes,
    output_tail: result.tail.slice(-TAIL_CHARACTERS),
    sandbox: context.sandbox.available ? `${context.sandbox.kind} ${context.sandbox.version}` : null,
    network: command.network ?? context.network,
    duration_ms: Math.round(result.durationMs),
  };
}
