import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { describeEvidence, type Evidence } from '../../domain/entities/evidence.ts';
import { relevantLines } from '../output/relevant-lines.ts';
import {
  isDependencyFolder,
  isInstalled,
  isUnneeded,
  sealFiles,
  sealFolders,
} from '../workspaces/dependency-folders.ts';
import { setupKey } from '../workspaces/kept-setups.ts';
import type { VerificationWorkspace } from '../workspaces/verification-workspace.ts';
import { makeWorkspaceHome, returnDownloads, takeDownloads } from '../workspaces/workspace-home.ts';
import {
  BARE_WORKSPACE,
  setupFiles,
  setupFolders,
  type WorkspaceState,
} from '../workspaces/workspace-state.ts';
import { recordEvidence } from './record-evidence.ts';
import type { RunContext, RunTree } from './run-context.ts';
import { builtIn, runInWorkspace } from './run-in-workspace.ts';

const DEFAULT_TIMEOUT_S = 20 * 60;

export type SetupResult = { ready: true } | { ready: false; why: string; evidence: Evidence };

/**
 * Places the tree in the workspace and runs the set-up, unless an earlier one for the same dependencies is still valid.
 */
export async function ensureSetup(
  context: RunContext,
  setup: VerifyConfig['setup'],
  on: RunTree,
): Promise<SetupResult> {
  const { workspace, repository } = context;
  const commit = on.is === 'candidate' ? context.headCommit : context.baseCommit;
  if (setup === undefined) {
    await workspace.ensurePlaced(on.tree, commit, 'nothing');
    makeWorkspaceHome(workspace.home, context.env, builtIn(context));
    return { ready: true };
  }
  const { command, timeout = DEFAULT_TIMEOUT_S } = typeof setup === 'string' ? { command: setup } : setup;
  const key = await setupKey(repository, on.tree, command);
  if (holds(workspace, key, on.tree) && isIntact(workspace)) {
    await workspace.ensurePlaced(on.tree, commit);
    return { ready: true };
  }
  // A result for another tree or other dependencies is kept; a tampered one is discarded.
  if (holds(workspace, key, on.tree)) workspace.remember(BARE_WORKSPACE);
  await workspace.place(on.tree, commit, 'nothing');
  if (workspace.restoreSetup(key, on.tree)) {
    intact.delete(workspace);
    if (isIntact(workspace)) {
      await workspace.place(on.tree, commit);
      return { ready: true };
    }
    workspace.remember(BARE_WORKSPACE);
    await workspace.place(on.tree, commit, 'nothing');
  }
  return setUp(context, { command, timeoutMs: timeout * 1000, key, commit }, on);
}

async function setUp(
  context: RunContext,
  { command, timeoutMs, key, commit }: { command: string; timeoutMs: number; key: string; commit: string },
  on: RunTree,
): Promise<SetupResult> {
  const { workspace, env } = context;
  const cache = join(context.home, 'caches', context.project);
  const by = on.is === 'base' ? 'base' : 'other';
  makeWorkspaceHome(workspace.home, env, builtIn(context));
  await takeDownloads(workspace.home, cache, by);
  return runInWorkspace(
    context,
    // Dependencies come from the network, whatever the later commands may reach.
    { check: 'setup', command, timeoutMs, on, network: 'host', installs: true },
    async ({ evidence }) => {
      recordEvidence(context, evidence);
      await returnDownloads(workspace.home, cache, by);
      if (evidence.exit !== 0) return { ready: false, why: failure(command, evidence), evidence };
      workspace.remember(await describeSetup(workspace, key, on.tree));
      intact.add(workspace);
      await workspace.place(on.tree, commit);
      return { ready: true };
    },
  );
}

async function describeSetup(
  workspace: VerificationWorkspace,
  key: string,
  tree: string,
): Promise<WorkspaceState> {
  const additions = await workspace.additions();
  // Any command could redirect a linked folder, since nothing can be mounted on a link.
  const installed = additions.filter(
    (path) =>
      (isInstalled(withoutSlash(path)) && !isLinkedFolder(workspace, path)) || isBare(workspace, path),
  );
  const others = additions.filter((path) => !installed.includes(path) && !isUnneeded(withoutSlash(path)));
  const state = {
    ...BARE_WORKSPACE,
    setupKey: key,
    setupTree: others.length > 0 ? tree : null,
    dependencyFolders: installed.filter((path) => path.endsWith('/')).map(withoutSlash),
    dependencyFiles: installed.filter((path) => !path.endsWith('/')),
    otherAdditions: others,
  };
  return { ...state, ...seals(workspace, state) };
}

function seals(
  { folder, home }: VerificationWorkspace,
  state: WorkspaceState,
): Pick<WorkspaceState, 'seal' | 'filesSeal'> {
  return {
    seal: `${sealFolders(folder, setupFolders(state))} ${sealFolders(home, ['.'], 'include')}`,
    filesSeal: sealFiles(folder, setupFiles(state)),
  };
}

function holds({ state }: VerificationWorkspace, key: string, tree: string): boolean {
  return state.setupKey === key && (state.setupTree === null || state.setupTree === tree);
}

/**
 * Earlier commands could have changed single files of the set-up and, without a sandbox, everything; so could an agent
 * outside a sandbox while the workspace was free. Each taker therefore checks once.
 */
function isIntact(workspace: VerificationWorkspace): boolean {
  const { folder, state } = workspace;
  if (sealFiles(folder, setupFiles(state)) !== state.filesSeal) return false;
  if (intact.has(workspace) && !state.exposed) return true;
  if (seals(workspace, state).seal !== state.seal) return false;
  intact.add(workspace);
  return true;
}

/** Workspaces whose dependencies were verified to be as the set-up left them. */
const intact = new WeakSet<VerificationWorkspace>();

/** A folder without files is not part of any tree. */
function isBare(workspace: VerificationWorkspace, path: string): boolean {
  if (!path.endsWith('/')) return false;
  const entries = readdirSync(join(workspace.folder, path), { withFileTypes: true, recursive: true });
  return entries.every((entry) => entry.isDirectory());
}

function isLinkedFolder(workspace: VerificationWorkspace, path: string): boolean {
  return (
    isDependencyFolder(path) &&
    lstatSync(join(workspace.folder, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
  );
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function failure(command: string, evidence: Evidence): string {
  const [first = ''] = relevantLines(evidence.output_tail, 2);
  return `the set-up "${command}" failed with ${describeEvidence(evidence)}${first === '' ? '' : `: ${first.trim()}`}`;
}
