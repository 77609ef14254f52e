import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Evidence } from '../../domain/entities/evidence.ts';
import { sha256 } from '../../domain/json/json.ts';
import { copyTree, removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { foldersAbove } from '../../platform/files/path-inside.ts';
import { listTree } from '../../platform/git/git-tree.ts';
import { runCommand } from '../../platform/processes/run-command.ts';
import type { ProcessResult } from '../../platform/processes/run-process.ts';
import { findMethod } from '../../platform/sandbox/disposable-folders.ts';
import { isReserved } from '../../platform/sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import { type LentFiles, lendInstallFiles, namedPaths } from '../environment/install-files.ts';
import { installVariables, sealedEnvironment } from '../environment/sealed-environment.ts';
import { wholeLastLines, withoutNpmUsage } from '../output/relevant-lines.ts';
import { tapFolder } from '../runners/runner-environment.ts';
import { copyBuilds } from '../workspaces/copied-builds.ts';
import { hasHeaders } from '../workspaces/go-build-cache.ts';
import { goDownloads, hasNpxPackages, makeWorkspaceHome } from '../workspaces/workspace-home.ts';
import { setupFolders } from '../workspaces/workspace-state.ts';
import { evidenceFolder } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';

export interface WorkspaceCommand {
  check: string;
  command: string;
  timeoutMs: number;
  on: RunTree;
  /** Default: the context's. */
  network?: SandboxPolicy['network'];
  /** A set-up fills the dependency folders and the home folder; writes of other commands to them are discarded. */
  installs?: boolean;
  /** Added to the command's environment. */
  env?: (runFolder: string, base: NodeJS.ProcessEnv) => Readonly<Record<string, string>>;
  /** Further files of GuardKit that the command must read. */
  readable?: readonly string[];
  /** The program to start, if it is not the command's own text. */
  started?: string;
}

/** A finished command with the evidence that all commands have. */
export interface WorkspaceRun {
  result: ProcessResult;
  evidence: Evidence;
  /** A folder outside the workspace that the command could write to. Removed after `use`. */
  runFolder: string;
}

const REPOSITORY_LAYER = 'repository';
const LOG_BYTES = 16 * 1024 * 1024;
const OUTPUT_BYTES = 256 * 1024 * 1024;
const TAIL_CHARACTERS = 4000;

/** Runs a command in the workspace and calls `use` while its files still exist. */
export async function runInWorkspace<Result>(
  context: RunContext,
  command: WorkspaceCommand,
  use: (run: WorkspaceRun) => Promise<Result>,
): Promise<Result> {
  const id = `EV-${randomBytes(6).toString('hex')}`;
  const runFolder = join(context.home, 'runs', id);
  makeFolder(runFolder, 0o700);
  context.emit({ type: 'run_began', check: command.check, on: command.on.is, command: command.command });
  // Without a sandbox, a changed original is noticed and the set-up runs again.
  const lent =
    command.installs || !context.sandbox.available ? undefined : await copyBuilds(context.workspace);
  try {
    const result = await start(context, command, runFolder, id, lent?.folders ?? []);
    return await use({ result, evidence: describeRun(context, command, result, id), runFolder });
  } finally {
    lent?.takeBack();
    removeTree(runFolder);
    removeTree(layersFolder(context.home, runFolder));
  }
}

async function start(
  context: RunContext,
  command: WorkspaceCommand,
  runFolder: string,
  id: string,
  copied: readonly string[],
): Promise<ProcessResult> {
  const { sandbox, workspace, network, signal } = context;
  workspace.disturb();
  if (!sandbox.available && !workspace.state.exposed)
    workspace.remember({ ...workspace.state, exposed: true });
  if (!existsSync(workspace.home)) makeWorkspaceHome(workspace.home, context.env, builtIn(context));
  const home = sandbox.available || command.installs ? workspace.home : join(runFolder, 'home');
  if (home !== workspace.home) await copyTree(workspace.home, home);
  const sealed = sealedEnvironment({
    env: context.env,
    dataFolder: context.home,
    project: context.project,
    verify: context.variables,
    home,
    sandboxed: sandbox.available,
    installs: command.installs === true,
    usesPnpm: existsSync(join(workspace.folder, 'pnpm-lock.yaml')),
    usesNpx: hasNpxPackages(workspace.home),
  });
  const lent = command.installs ? lendInstallFiles(home, context.env) : undefined;
  workspace.builds.open();
  // A copy of the repository instead of an overlay could be too large.
  const layers = layersFolder(context.home, runFolder);
  const lendsRepository =
    sandbox.available &&
    command.installs === true &&
    (await findMethod(sandbox, join(layers, REPOSITORY_LAYER))) !== 'copy';
  const fillsBuilds = command.on.is === 'base' && context.keepsBuilds === true;
  if (fillsBuilds) workspace.builds.breakSeal();
  try {
    return await runCommand(command.started ?? command.command, {
      cwd: workspace.folder,
      env: { ...sealed.env, ...command.env?.(runFolder, sealed.env) },
      timeoutMs: command.timeoutMs,
      maxOutputBytes: OUTPUT_BYTES,
      log: { path: join(evidenceFolder(context), `${id}.log`), maxBytes: LOG_BYTES },
      ...(signal ? { signal } : {}),
      ...(sandbox.available
        ? {
            sandbox: {
              status: sandbox,
              policy: workspacePolicy(context, command, {
                network: command.network ?? network,
                runFolder,
                fillsBuilds,
                lendsRepository,
                copied,
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

/** Without a sandbox every command could write there permanently. */
export function builtIn({
  sandbox,
  workspace,
}: Pick<RunContext, 'sandbox' | 'workspace'>): string | undefined {
  return sandbox.available ? workspace.builds.folder : undefined;
}

async function keepBuilds({ repository, workspace, sandbox }: RunContext, { tree }: RunTree): Promise<void> {
  const entries = sandbox.available ? await listTree(repository, tree) : [];
  if (!sandbox.available || hasHeaders(entries.map(({ path }) => path))) workspace.builds.drop();
  else workspace.builds.seal();
}

/** Certificates and local packages named in a set-up's settings; they are often in a home folder. */
function installPaths({ named }: LentFiles, env: Readonly<Record<string, string>>): string[] {
  const inVariables = Object.values(installVariables(env)).flatMap((value) => namedPaths(value));
  return [...named, ...inVariables].filter((path) => existsSync(path) && !isReserved(path));
}

interface WorkspaceAccess {
  network: SandboxPolicy['network'];
  runFolder: string;
  fillsBuilds: boolean;
  /** Scripts of a set-up often write git's configuration, such as its folder for hooks. */
  lendsRepository: boolean;
  /** Folders from the set-up that the command has copies of. */
  copied: readonly string[];
  hidden: readonly string[];
  readable: readonly string[];
}

/**
 * Only the workspace and the run's own folder are permanently writable. Only a set-up fills the home folder and the
 * dependencies; for other commands they look writable, and their writes are discarded. So are a set-up's writes to the
 * repository, which others cannot write to at all. GuardKit's data and the person's
 * home folder are not even readable.
 */
function workspacePolicy(
  { home, env, workspace, repository }: RunContext,
  { installs = false, readable = [] }: WorkspaceCommand,
  access: WorkspaceAccess,
): SandboxPolicy {
  const { runFolder, network, fillsBuilds, lendsRepository } = access;
  const { commonDir } = repository.folder;
  const layers = layersFolder(home, runFolder);
  const kept = setupFolders(workspace.state)
    .filter((folder) => !access.copied.includes(folder))
    .map((folder) => join(workspace.folder, folder));
  const disposable = [
    ...(installs ? [] : [...kept.filter((path) => existsSync(path)), workspace.home]),
    ...(fillsBuilds ? [] : [workspace.builds.folder]),
  ];
  const modules = goDownloads(env);
  return {
    writable: [
      workspace.folder,
      runFolder,
      ...(installs ? [workspace.home] : []),
      ...(fillsBuilds ? [workspace.builds.folder] : []),
    ],
    // Tests may ask git about their checkout, and the sandbox hides repositories in /tmp.
    readOnly: [
      join(workspace.folder, '.git'),
      ...(lendsRepository ? [] : [commonDir]),
      ...ownPrograms(),
      ...(modules === undefined ? [] : [modules]),
      ...access.readable,
      ...readable,
    ],
    hidden: [home, ...access.hidden, ...packagesAbove(workspace.folder)],
    disposable: [
      ...disposable.map((path, index) => ({ path, scratch: join(layers, String(index)) })),
      ...(lendsRepository ? [{ path: commonDir, scratch: join(layers, REPOSITORY_LAYER) }] : []),
    ],
    network,
  };
}

/** npm takes programs and modules from packages in every parent folder; none of them belongs to the tree. */
function packagesAbove(folder: string): string[] {
  return foldersAbove(folder)
    .map((above) => join(above, 'node_modules'))
    .filter((path) => existsSync(path));
}

/** Next to the run's folder, which the command can write to: the layers below its writes must be out of its reach. */
function layersFolder(home: string, runFolder: string): string {
  return join(home, 'layers', basename(runFolder));
}

/** Programs that GuardKit loads into runners and checks; it may be installed in a place that the sandbox hides. */
function ownPrograms(): string[] {
  return [tapFolder(), process.execPath];
}

function describeRun(
  context: RunContext,
  command: WorkspaceCommand,
  result: ProcessResult,
  id: string,
): Evidence {
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
    output_tail: wholeLastLines(withoutNpmUsage(result.tail), TAIL_CHARACTERS),
    sandbox: context.sandbox.available ? `${context.sandbox.kind} ${context.sandbox.version}` : null,
    network: command.network ?? context.network,
    duration_ms: Math.round(result.durationMs),
  };
}
