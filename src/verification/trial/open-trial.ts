import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { snapshotTree, treeWithout } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import type { VerifyEvent } from '../runs/run-context.ts';
import { openVerificationWorkspace } from '../workspaces/open-verification-workspace.ts';
import { type Trial, trialRank, tryCommands } from './try-commands.ts';

export interface TrialRequest {
  /** GuardKit's data folder. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** The project's future id. */
  project: string;
  root: string;
  /** Best first; later ones are tried if earlier ones do not work. */
  candidates: readonly VerifyConfig[];
  sandbox: SandboxStatus;
  timeoutMs: number;
  /** Whether a person runs this, not an agent. */
  byPerson: boolean;
  signal: AbortSignal | undefined;
  emit(event: VerifyEvent): void;
}

/** The trials in order; undefined for a repository without a commit, which cannot be checked out. */
export async function runTrials(request: TrialRequest): Promise<Trial[] | undefined> {
  const { root, home, env, project, sandbox, signal, emit } = request;
  const repository = await Repository.open(root);
  const commit = await repository.commit('HEAD');
  if (commit === undefined) return undefined;
  const given = performance.now() + request.timeoutMs;
  const tree = await snapshotTree(repository, OUTSIDE_THE_TREE);
  // Without uncommitted changes: an agent may have made them.
  const keepsBuilds = request.byPerson && tree === (await treeWithout(repository, commit, OUTSIDE_THE_TREE));
  const worktrees = join(home, 'worktrees', project);
  makeFolder(worktrees, 0o700);
  // A trial is not evidence, so it is recorded in a throwaway ledger.
  const scratch = mkdtempSync(join(tmpdir(), 'guardkit-trial-'));
  const ledger = openLedger({ path: join(scratch, 'ledger.db') });
  const workspace = await openVerificationWorkspace(repository, realpathSync(worktrees), commit);
  try {
    const trials: Trial[] = [];
    let next = request.candidates;
    for (let verify = next[0]; verify !== undefined; verify = next[0]) {
      next = next.slice(1);
      const deadline = deadlineAfter(trials, given, performance.now());
      if (trials.length > 0 && (performance.now() > deadline || signal?.aborted || !isWorth(verify, trials)))
        continue;
      const context = {
        home,
        env,
        project,
        ledger,
        repository,
        workspace,
        sandbox,
        network: 'loopback' as const,
        variables: verify,
        featureId: 'init',
        taskId: null,
        baseCommit: commit,
        headCommit: commit,
        keepsBuilds,
        signal,
        emit,
      };
      const trial = await tryCommands(context, verify, { tree, is: 'base' }, deadline);
      trials.push(trial);
      next = withoutStaleLock(trial, next);
    }
    return trials;
  } finally {
    workspace.release();
    ledger.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * The deadline of the next commands. If all tests pass but another step fails, such as one that needs the network,
 * these commands would refuse every change; the next ones are then tried even if the first used all the time.
 */
export function deadlineAfter(trials: readonly Trial[], given: number, now: number): number {
  const [first, ...others] = trials;
  if (others.length > 0 || !first?.tests) return given;
  const { passed, failed, exit, timedOut, durationMs } = first.tests;
  const isOtherStep = passed > 0 && failed === 0 && exit !== 0 && !timedOut;
  return isOtherStep ? Math.max(given, now + 2 * durationMs) : given;
}

/** How a stack trace of corepack names its own program. */
const COREPACK_FAILED = /\bcorepack\.c?js\b/;
const THROUGH_NPX = /\bnpx --yes (?:pnpm|yarn|@yarnpkg\/cli-dist)[@\s]/;

/** Whether other commands could show more than those already tried. After a set-up that failed, none can run. */
export function isWorth(
  { setup, coverage }: VerifyConfig,
  trials: readonly Pick<Trial, 'setup' | 'tests' | 'coverage'>[],
): boolean {
  const command = typeof setup === 'object' ? setup.command : setup;
  if (trials.some((one) => one.setup !== undefined && one.setup.exit !== 0 && one.setup.command === command))
    return false;
  if (THROUGH_NPX.test(command ?? '') && !needsNpx(trials)) return false;
  const best = Math.max(...trials.map(trialRank));
  return best < 2 || (best === 2 && coverage !== undefined);
}

/** Whether corepack itself failed, or was not tried. */
function needsNpx(trials: readonly Pick<Trial, 'setup'>[]): boolean {
  const byCorepack = trials.flatMap(({ setup }) => (setup?.command.includes('corepack ') ? [setup] : []));
  return (
    byCorepack.length === 0 || byCorepack.some(({ exit, tail }) => exit !== 0 && COREPACK_FAILED.test(tail))
  );
}

/**
 * The best trial; the first of equals. Tests that only ran out of time, such as after a build, promise more than failed
 * ones.
 */
export function bestTrial<T extends Pick<Trial, 'tests' | 'coverage'>>(trials: readonly T[]): T | undefined {
  const promise = (trial: T) => {
    const ranOutOfTime = trial.tests?.timedOut === true && trial.tests.failed === 0;
    return trialRank(trial) + (ranOutOfTime ? 0.5 : 0);
  };
  return [...trials].sort((a, b) => promise(b) - promise(a))[0];
}

/** Messages of package managers whose lock file does not fit the package.json or their own version. */
const STALE_LOCK_FILE =
  /can only install packages when your package\.json and|Run "npm help ci" for more info|ERR_PNPM_\w*LOCKFILE|Your lockfile needs to be updated|YN0028|lockfile is frozen/;

/** An installation that demands a fitting lock file, and one that takes from it what fits. */
const LOOSER: readonly (readonly [RegExp, string])[] = [
  [/\bnpm ci$/, 'npm install --no-save'],
  [/\b(pnpm(?:@[\w.-]+)? install) --frozen-lockfile$/, '$1 --no-frozen-lockfile'],
  [/\b(yarn(?:@[\w.-]+)? install) --frozen-lockfile$/, '$1 --pure-lockfile'],
  [/\b(bun install) --frozen-lockfile$/, '$1 --no-save'],
  [/ install --immutable$/, ' install --no-immutable'],
];

/** The next commands to try: if a stale lock file kept the packages from being installed, the same ones without it first. */
export function withoutStaleLock(
  { verify, setup }: Pick<Trial, 'verify' | 'setup'>,
  next: readonly VerifyConfig[],
): readonly VerifyConfig[] {
  const isStale = setup !== undefined && setup.exit !== 0 && STALE_LOCK_FILE.test(setup.tail);
  const again = isStale ? loosened(verify) : undefined;
  return again === undefined ? next : [again, ...next.map((one) => loosened(one) ?? one)];
}

function loosened(verify: VerifyConfig): VerifyConfig | undefined {
  const { setup } = verify;
  if (typeof setup !== 'string') return undefined;
  const [pattern, looser] = LOOSER.find(([frozen]) => frozen.test(setup)) ?? [];
  return pattern === undefined || looser === undefined
    ? undefined
    : { ...verify, setup: setup.replace(pattern, looser) };
}
