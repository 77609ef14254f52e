import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { worktreesRoot } from '../../verification/verify.ts';
import { lockFeature } from '../feature-build/build-locks.ts';
import { BuildRecord } from '../feature-build/build-record.ts';
import { findCurrentBuild } from '../feature-build/current-build.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';
import { removeWorktree } from '../feature-build/remove-worktree.ts';
import type { RunSettings } from '../run/run-settings.ts';

/** Puts the feature's branch here where the shared chain has it, after another machine worked on it. */
export async function restoreFeature(run: RunSettings, feature: string): Promise<void> {
  const { repository, ledger, project, clock, home, config } = run;
  const expected = recordedCommit(run, feature);
  const branch = branchOf(feature);
  const ref = `refs/heads/${branch}`;
  const found = await repository.commit(ref);
  if (found === expected) return;
  const lock = await lockFeature(home, project, feature);
  try {
    const worktree = join(worktreesRoot({ home, project, definition: { config } }), feature);
    if (found !== undefined || existsSync(worktree))
      await removeWorktree(repository, { featureId: feature, branch, worktree }, clock());
    if (expected !== undefined) await repository.run(['update-ref', ref, expected]);
  } finally {
    lock.release();
  }
  const text = findCurrentBuild(ledger, project, feature)
    ? `${feature} continues where another worker left it`
    : `${feature} has no build yet; an earlier branch was removed`;
  if (found !== undefined || expected !== undefined) run.emit({ type: 'notice', text });
}

/** The commit that the ledger names for the branch; undefined if the feature was not built. */
function recordedCommit({ ledger, project }: RunSettings, feature: string): string | undefined {
  const build = findCurrentBuild(ledger, project, feature);
  if (!build) return undefined;
  const record = new BuildRecord(ledger, project, feature);
  const tasks = new Set(record.taskIds);
  const reset = ledger
    .entries(project, { kind: 'task_reset' })
    .findLast(({ body }) => tasks.has(String(body.task_id)));
  for (const { number, body } of ledger.lookup(project, {
    kind: 'turn_step',
    field: 'feature_id',
    value: feature,
  })) {
    if (number < (reset?.number ?? 0)) break;
    const { commit } = body.data as { commit?: unknown };
    if (body.step === 'committed' && typeof commit === 'string') return commit;
  }
  return build.base_commit;
}
