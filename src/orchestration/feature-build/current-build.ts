import type { LedgerEntry } from '../../store/ledger/chain/ledger-entry.ts';
import { type BuildBegan, buildBeganSchema } from '../../store/ledger/kinds/sessions/builds.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

/** The last attempt at a feature that was not discarded, and whether it was merged since. */
export function findCurrentBuild(
  ledger: Ledger,
  project: string,
  featureId: string,
): (BuildBegan & { completed: boolean }) | undefined {
  const last = (kind: string): LedgerEntry | undefined =>
    ledger.lookup(project, { kind, field: 'feature_id', value: featureId }).next().value ?? undefined;
  const build = last('build_began');
  const since = (kind: string) => (last(kind)?.number ?? 0) > (build?.number ?? 0);
  if (!build || since('feature_discarded')) return undefined;
  return { ...buildBeganSchema.parse(build.body), completed: since('feature_completed') };
}

/** Started tasks of a feature in order, with the commit that each started from. */
export function startedTasks(
  ledger: Ledger,
  project: string,
  featureId: string,
): { taskId: string; base: string }[] {
  const started = new Map<string, string>();
  const steps = [...ledger.lookup(project, { kind: 'turn_step', field: 'feature_id', value: featureId })];
  const resets = ledger.entries(project, { kind: 'task_reset' });
  for (const { kind, body } of [...steps, ...resets].sort((a, b) => a.number - b.number)) {
    const taskId = String(body.task_id);
    if (kind === 'task_reset') started.delete(taskId);
    if (kind !== 'turn_step' || body.step !== 'began') continue;
    const { base_commit } = body.data as { base_commit?: unknown };
    if (!started.has(taskId)) started.set(taskId, String(base_commit));
  }
  return [...started].map(([taskId, base]) => ({ taskId, base }));
}
