import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { isProtectedPath } from '../../domain/protection/protected-paths.ts';
import { changedPaths, exportFiles, snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { recordBeginning } from '../../verification/definition/base-of-feature.ts';
import { settledCommit } from '../../verification/definition/commit-to-start-from.ts';
import { IDENTITY } from '../feature-build/feature-worktree.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { noteSummary } from './note-summary.ts';
import type { SessionContext } from './session-context.ts';
import { type Began, noteDetails, readDetails } from './session-details.ts';

/** Sets the work of abandoned features aside, so that each feature starts without it. */
export async function settleFiles(context: SessionContext, before: KeptSession): Promise<KeptSession> {
  const kept = await notePersons(context, before);
  const { began, at_work } = readDetails(kept);
  const { feature, blocked, session } = kept.session;
  if (began === null) return noteBeginning(context, kept);
  if (began.feature === feature) return kept;
  const isRemoved = !readFeature(context.ledger, context.project, began.feature);
  if (!isRemoved && !blocked.includes(began.feature)) return noteBeginning(context, kept);
  // An agent is still working on it and would keep writing.
  if (at_work?.feature === began.feature) return kept;
  const aside = await setAside(context, session, began, isRemoved ? 'removed' : 'blocked');
  const told =
    aside &&
    `kept as ${aside.ref} (${aside.files} ${aside.files === 1 ? 'file' : 'files'}) and removed from the working files: git diff HEAD ${aside.ref} shows it.`;
  if (told && !isRemoved) noteSummary(context, began.feature, 'GuardKit', `The work so far is ${told}`);
  const notice = `${began.feature} was removed from the list; its work is ${told}`;
  return noteBeginning(
    context,
    noteDetails(context, session, ({ notices }) => ({
      began: null,
      rested: null,
      notices: told && isRemoved ? [...notices, notice] : notices,
    })),
  );
}

/** Notes files that change during a pause: those changes are the person's. */
async function notePersons(context: SessionContext, kept: KeptSession): Promise<KeptSession> {
  const { phase, session } = kept.session;
  const { began, rested, at_work } = readDetails(kept);
  if (began === null || phase === 'ended') return kept;
  if (phase === 'paused')
    return rested === null && at_work === null
      ? noteDetails(context, session, { rested: await filesNow(context) })
      : kept;
  if (rested === null) return kept;
  const changed = await changedPaths(
    await Repository.open(context.checkout),
    rested,
    await filesNow(context),
  );
  const theirs = [...new Set([...began.theirs, ...changed.map(({ path }) => path)])];
  return noteDetails(context, session, { rested: null, began: { ...began, theirs } });
}

/** Notes the tree at a feature's start, to tell its work from earlier changes. */
async function noteBeginning(context: SessionContext, kept: KeptSession): Promise<KeptSession> {
  const { feature, session } = kept.session;
  if (feature === null) return kept;
  const tree = await filesNow(context);
  await recordWhereItBegan(context, feature, readDetails(kept).base, tree);
  return noteDetails(context, session, { began: { feature, tree, theirs: [] } });
}

/** A feature begins after the commits verified in this session; other commits of the session may be part of it. */
async function recordWhereItBegan(
  { ledger, project, checkout }: SessionContext,
  feature: string,
  sessionBase: string | null,
  tree: string,
): Promise<void> {
  if (sessionBase === null) return;
  const repository = await Repository.open(checkout);
  const head = (await repository.commit('HEAD')) ?? sessionBase;
  const commit = await settledCommit(repository, { ledger, project }, head, [sessionBase]);
  recordBeginning(ledger, project, feature, { commit, tree });
}

async function filesNow({ checkout }: SessionContext): Promise<string> {
  return snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
}

interface SetAside {
  /** The ref that keeps the work. */
  ref: string;
  files: number;
}

const WORDS = { blocked: 'which is blocked', removed: 'which a person removed from the list' } as const;

/**
 * Restores the files to the start of an abandoned feature, so that its work does not break the tests of later features.
 * The work is kept in git first. Undefined if nothing had changed.
 */
export async function setAside(
  { checkout }: SessionContext,
  session: string,
  { feature, tree, theirs }: Began,
  since: keyof typeof WORDS,
): Promise<SetAside | undefined> {
  const repository = await Repository.open(checkout);
  const now = await snapshotTree(repository, OUTSIDE_THE_TREE);
  // Protected files and files that a person changed are not the agent's work.
  const kept = new Set(theirs);
  const changes = (await changedPaths(repository, tree, now)).filter(
    ({ path }) => !isProtectedPath(path) && !kept.has(path),
  );
  if (changes.length === 0) return undefined;
  const name = `sessions/${session}/${since}/${feature}`;
  await keepCommit(repository, name, `Work on ${feature}, ${WORDS[since]}`);
  for (const { path, change } of changes) if (change === 'added') remove(checkout, path);
  const before = changes.filter(({ change }) => change !== 'added').map(({ path }) => path);
  if (before.length > 0) await exportFiles(repository, tree, before, checkout);
  return { ref: `refs/guardkit/${name}`, files: changes.length };
}

/** Never follows a link, which could lead out of the checkout. */
function remove(checkout: string, path: string): void {
  const file = join(checkout, path);
  if (!lstatSync(file, { throwIfNoEntry: false })) return;
  if (realpathSync(dirname(file)) === dirname(file) && file.startsWith(checkout + sep))
    rmSync(file, { force: true });
}

/** Left out of a session's commits: progress files and personal settings. */
const LEFT_OUT = ['.claude/progress', '.claude/settings.local.json'];

/** Commits the files to one of GuardKit's refs. No branch, index or file is touched. */
export async function keepCommit(repository: Repository, name: string, message: string): Promise<string> {
  const ref = `refs/guardkit/${name}`;
  const [tree, head, earlier] = await Promise.all([
    snapshotTree(repository, LEFT_OUT),
    repository.commit('HEAD'),
    repository.commit(ref),
  ]);
  // The ref's earlier commit stays reachable as a parent.
  const parents = [head, earlier].flatMap((parent) => (parent === undefined ? [] : ['-p', parent]));
  const made = await repository.run(['commit-tree', tree, ...parents, '-m', message], { env: IDENTITY });
  const commit = made.trim();
  await repository.run(['update-ref', ref, commit]);
  return commit;
}
