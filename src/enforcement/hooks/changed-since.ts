import * as z from 'zod';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { changedPaths, snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { HookContext } from './hook-context.ts';

const bodySchema = z.object({ tree: z.string() });

/** Notes how the files are when an agent begins. */
export async function noteTree(work: HookContext): Promise<void> {
  const tree = await snapshotTree(await Repository.open(work.watch.checkout), OUTSIDE_THE_TREE);
  cacheRead(work.watch.ledger, key(work), '', { tree });
}

/** The paths that have changed since; undefined where nobody noted how they were. */
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
