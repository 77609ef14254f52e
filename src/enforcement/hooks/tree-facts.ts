import * as z from 'zod';
import { verificationSchema } from '../../domain/entities/verification.ts';
import type { RequiredEvidence } from '../../domain/protection/guard-mode.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { changedPaths, snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { HookContext } from './hook-context.ts';

const bodySchema = z.object({ tree: z.string() });

/** Records the tree when an agent starts. */
export async function noteTree(work: HookContext): Promise<void> {
  const tree = await snapshotTree(await Repository.open(work.watch.checkout), OUTSIDE_THE_TREE);
  cacheRead(work.watch.ledger, key(work), '', { tree });
}

/** The paths that changed since; undefined if no tree was recorded. */
export async function changedSince(work: HookContext): Promise<string[] | undefined> {
  const began = bodySchema.safeParse(findLastCached(work.watch.ledger, key(work))?.body);
  if (!began.success) return undefined;
  const repository = await Repository.open(work.watch.checkout);
  const tree = await snapshotTree(repository, OUTSIDE_THE_TREE);
  if (tree === began.data.tree) return [];
  return (await changedPaths(repository, began.data.tree, tree)).map(({ path }) => path);
}

function key({ watch: { project, checkout }, source: { session, actorId } }: HookContext): string {
  return `files of ${project} in ${checkout} when ${session} ${actorId ?? ''} began`;
}

/** From the newest verification of exactly this tree. */
export async function readSeenEvidence({
  watch: { ledger, project, checkout },
}: HookContext): Promise<Record<RequiredEvidence, 'pass' | 'fail' | 'absent'>> {
  const tree = await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  const found = [
    ...ledger.lookup(project, { kind: 'verification_recorded', field: 'tree', value: tree }),
  ].map(({ body }) => verificationSchema.parse(body));
  const tests = found.flatMap(({ gates }) => gates).find(({ gate }) => gate === 'tests');
  const open = readFeatures(ledger, project).filter(({ status }) => status === 'in_progress');
  const verified = found.find(({ feature_id }) => open.some(({ id }) => id === feature_id));
  return { tests: tests?.result ?? 'absent', verified: verified?.outcome ?? 'absent' };
}
