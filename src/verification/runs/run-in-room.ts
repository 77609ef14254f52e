import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Evidence } from '../../domain/entities/evidence.ts';
import { sha256 } from '../../domain/json/json.ts';
import { copyTree } from '../../platform/files/copy-tree.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import { runCommand } from '../../platform/processes/run-command.ts';
import type { ProcessResult } from '../../platform/processes/run-process.ts';
import { foldersAbove } from '../../platform/sandbox/path-inside.ts';
import { isReserved } from '../../platform/sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import { type LentFiles, lendInstallFiles, namedPaths } from '../environment/install-files.ts';
import { installVariables } from '../environment/install-variables.ts';
import { sealedEnvironment } from '../environment/sealed-environment.ts';
import { tapFolder } from '../runners/tap-folder.ts';
import { hasHeaders } from '../workspaces/kept-builds.ts';
import { goDownloads, makeRoomHome } from '../workspaces/room-home.ts';
import { setupFolders } from '../workspaces/room-state.ts';
import { evidenceFolder } from './evidence-files.ts';
import type { RunContext, RunTree } from './run-context.ts';

export interface RoomCommand {
  check: string;
  command: string;
  timeoutMs: number;
  on: RunTree;
  /** Unless the context's. */
  network?: SandboxPolicy['network'];
  /** Set-up fills the dependency folders and the home folder; the writes of everything else to them do not last. */
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
    removeTree(runFolder);
    removeTree(layersFolder(context.home, runFolder));
  }
}

async function start(
  context: RunContext,
  command: RoomCommand,
  runFolder: string,
  id: string,
): Promise<ProcessResult> {
  const { sandbox, room, network, signal } = context;
  room.disturb();
  if (!sandbox.available && !room.state.exposed) room.remember({ ...room.state, exposed: true });
  if (!existsSync(room.home)) makeRoomHome(room.home, context.env, builtIn(context));
  const home = sandbox.available || command.installs ? room.home : join(runFolder, 'home');
  if (home !== room.home) await copyTree(room.home, home);
  const sealed = sealedEnvironment({
    env: context.env,
    dataFolder: context.home,
    project: context.project,
    verify: context.variables,
    home,
    sandboxed: sandbox.available,
    installs: command.installs === true,
  });
  const lent = command.installs ? lendInstallFiles(home, context.env) : undefined;
  room.builds.open();
  const fillsBuilds = command.on.is === 'base' && context.keepsBuilds === true;
  if (fillsBuilds) room.builds.breakSeal();
  try {
    return await runCommand(command.started ?? command.command, {
      cwd: room.folder,
      env: { ...sealed.env, ...command.env?.(runFolder, sealed.env) },
      timeoutMs: command.timeoutMs,
      maxOutputBytes: OUTPUT_BYTES,
      log: { path: join(evidenceFolder(context), `${id}.log`), maxBytes: LOG_BYTES },
      ...(signal ? { signal } : {}),
      ...(sandbox.available
        ? {
            sandbox: {
              status: sandbox,
              policy: roomPolicy(context, command, {
                network: command.network ?? network,
                runFolder,
                fillsBuilds,
                hidden: sealed.hidden,
                readable: [...sealed.readable, ...(lent ? installPaths(lent, sealed.env) : [])],
              }),
              home: 'private',
            },
          }
        : {}),
    });
  } finally {
    lent?.takeBack();
    if (fillsBuilds) await keepBuilds(context, command.on);
  }
}

/** Without a sandbox every command could write there for good. */
export function builtIn({ sandbox, room }: Pick<RunContext, 'sandbox' | 'room'>): string | undefined {
  return sandbox.available ? room.builds.folder : undefined;
}

async function keepBuilds({ repository, room, sandbox }: RunContext, { tree }: RunTree): Promise<void> {
  const entries = sandbox.available ? await listTree(repository, tree) : [];
  if (!sandbox.available || hasHeaders(entries.map(({ path }) => path))) room.builds.drop();
  else room.builds.seal();
}

/** Certificates and local packages that a set-up's settings name; they often lie in a home folder. */
function installPaths({ named }: LentFiles, env: Readonly<Record<string, string>>): string[] {
  const inVariables = Object.values(installVariables(env)).flatMap((value) => namedPaths(value));
  return [...named, ...inVariables].filter((path) => existsSync(path) && !isReserved(path));
}

interface RoomAccess {
  network: SandboxPolicy['network'];
  runFolder: string;
  fillsBuilds: boolean;
  hidden: readonly string[];
  readable: readonly string[];
}

/**
 * Only the room and the run's own folder can be written for good. Set-up alone fills the home folder and what it installs;
 * to any other command they look writable, and are as before for the next. Of GuardKit's data and of the person's home
 * folder nothing can even be read.
 */
function roomPolicy(
  { home, env, room, repository }: RunContext,
  { installs = false, readable = [] }: RoomCommand,
  access: RoomAccess,
): SandboxPolicy {
  const { runFolder, network, fillsBuilds } = access;
  const kept = setupFolders(room.state).map((folder) => join(room.folder, folder));
  const disposable = [
    ...(installs ? [] : [...kept.filter((path) => existsSync(path)), room.home]),
    ...(fillsBuilds ? [] : [room.builds.folder]),
  ];
  const modules = goDownloads(env);
  return {
    writable: [
      room.folder,
      runFolder,
      ...(installs ? [room.home] : []),
      ...(fillsBuilds ? [room.builds.folder] : []),
    ],
    // Tests may ask git about their checkout, and the sandbox shows nothing of a repository that lies in /tmp.
    readOnly: [
      join(room.folder, '.git'),
      repository.folder.commonDir,
      ...ownPrograms(),
      ...(modules === undefined ? [] : [modules]),
      ...access.readable,
      ...readable,
    ],
    hidden: [home, ...access.hidden, ...packagesAbove(room.folder)],
    disposable: disposable.map((path, index) => ({
      path,
      scratch: join(layersFolder(home, runFolder), String(index)),
    })),
    network,
  };
}

/** npm takes programs, and Node modules, from packages in every folder above; none of them belongs to the tree. */
function packagesAbove(folder: string): string[] {
  return foldersAbove(folder)
    .map((above) => join(above, 'node_modules'))
    .filter((path) => existsSync(path));
}

/** Beside the run's folder, which the command can write to: the layers below its writes must stay out of its reach. */
function layersFolder(home: string, runFolder: string): string {
  return join(home, 'layers', basename(runFolder));
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
