import type { LearnedGuard } from '../../../domain/entities/learned-guard.ts';
import { canonicalJson } from '../../../domain/json/json.ts';
import { inTransaction } from '../in-transaction.ts';
import { guardRecordedSchema } from '../kinds/memory/guard-recorded.ts';
import type { Ledger } from '../ledger.ts';
import { putLearnedGuard, readAskedGuards, readOwnLearnedGuards } from './learned-guards.ts';

/** Ids of learned guards that differ between table and chain. */
export function differingGuards(ledger: Ledger, project: string): string[] {
  const chain = guardsByChain(ledger, project);
  const table = new Map(readOwnLearnedGuards(ledger, project).map((one) => [one.guard_id, one]));
  const asked = new Map(readAskedGuards(ledger, project).map((one) => [one.guard_id, one]));
  return [...new Set([...chain.keys(), ...table.keys()])].filter((id) => {
    const recorded = chain.get(id);
    if (!recorded || canonicalJson(recorded) !== canonicalJson(table.get(id) ?? null)) return true;
    const { mode, definition } = recorded;
    const acts = mode === 'off' ? null : { guard_id: id, mode, definition };
    return canonicalJson(acts) !== canonicalJson(asked.get(id) ?? null);
  });
}

/** Rebuilds the table from the chain; returns the ids of guards that differed. */
export function rebuildGuards(ledger: Ledger, project: string): string[] {
  return inTransaction(ledger, () => {
    const differing = differingGuards(ledger, project);
    ledger.file.database.prepare('DELETE FROM learned_guards WHERE project = ?').run(project);
    for (const guard of guardsByChain(ledger, project).values()) putLearnedGuard(ledger, project, guard);
    return differing;
  });
}

function guardsByChain(ledger: Ledger, project: string): Map<string, LearnedGuard> {
  const entries = ledger.entries(project, { kind: 'guard_recorded' });
  return new Map(
    entries.map(({ body }) => {
      const { guard } = guardRecordedSchema.parse(body);
      return [guard.guard_id, guard];
    }),
  );
}
