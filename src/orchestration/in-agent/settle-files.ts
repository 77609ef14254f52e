import { OUTSIDE_THE_TREE } from '../../domain/protection/outside-the-tree.ts';
import { changedPaths, snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { recordBeginning } from '../../verification/definition/base-of-feature.ts';
import { settledCommit } from '../../verification/definition/settled-commit.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { readDetails } from './details.ts';
import { noteDetails } from './kept-details.ts';
import { noteSummary } from './note-summary.ts';
import type { SessionContext } from './session-context.ts';
import { setAside } from './set-aside.ts';

/** Sees to what features leave in the files, so that each begins with nothing of one that was given up. */
export async function settleFiles(ground: SessionContext, before: KeptSession): Promise<KeptSession> {
  const kept = await notePersons(ground, before);
  const { began, at_work } = readDetails(kept);
  const { feature, blocked, session } = kept.session;
  if (began === null) return noteBeginning(ground, kept);
  if (began.feature === feature) return kept;
  const isRemoved = !readFeature(ground.ledger, ground.project, began.feature);
  if (!isRemoved && !blocked.includes(began.feature)) return noteBeginning(ground, kept);
  // Whoever is at work on it would go on writing.
  if (at_work?.feature === began.feature) return kept;
  const aside = await setAside(ground, session, began, isRemoved ? 'removed' : 'blocked');
  const told =
    aside &&
    `kept as ${aside.ref} (${aside.files} ${aside.files === 1 ? 'file' : 'files'}) and no longer in the working files: git diff HEAD ${aside.ref} shows it.`;
  if (told && !isRemoved) noteSummary(ground, began.feature, 'GuardKit', `What was tried is ${told}`);
  const notice = `${began.feature} was taken off the list; what was done for it is ${told}`;
  return noteBeginning(
    ground,
    noteDetails(ground, session, ({ notices }) => ({
      began: null,
      rested: null,
      notices: told && isRemoved ? [...notices, notice] : notices,
    })),
  );
}

/** Keeps apart what changes while the session rests: whoever paused it is at those files themselves. */
async function notePersons(ground: SessionContext, kept: KeptSession): Promise<KeptSession> {
  const { phase, session } = kept.session;
  const { began, rested, at_work } = readDetails(kept);
  if (began === null || phase === 'ended') return kept;
  if (phase === 'paused')
    return rested === null && at_work === null
      ? noteDetails(ground, session, { rested: await filesNow(ground) })
      : kept;
  if (rested === null) return kept;
  const changed = await changedPaths(await Repository.open(ground.checkout), rested, await filesNow(ground));
  const theirs = [...new Set([...began.theirs, ...changed.map(({ path }) => path)])];
  return noteDetails(ground, session, { rested: null, began: { ...began, theirs } });
}

/** How the files are when a feature is begun, to tell its work from what was there. */
async function noteBeginning(ground: SessionContext, kept: KeptSession): Promise<KeptSession> {
  const { feature, session } = kept.session;
  if (feature === null) return kept;
  const tree = await filesNow(ground);
  await recordWhereItBegan(ground, feature, readDetails(kept).base, tree);
  return noteDetails(ground, session, { began: { feature, tree, theirs: [] } });
}

/** After what was verified in this session; anything else that was committed in it may be part of the feature. */
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
