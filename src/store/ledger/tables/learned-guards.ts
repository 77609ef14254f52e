import { type LearnedGuard, learnedGuardSchema } from '../../../domain/entities/learned-guard.ts';
import { inTransaction } from '../in-transaction.ts';
import type { GuardRecorded } from '../kinds/memory/guard-recorded.ts';
import type { Ledger } from '../ledger.ts';

/** The project of shared rows. */
const SHARED = '';

/**
 * The guards that a project has learned and those shared with it, by id. A guard that another project shared only
 * watches until somebody promotes it here.
 */
export function readLearnedGuards(ledger: Ledger, project: string): LearnedGuard[] {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare('SELECT project, id, body FROM learned_guards WHERE project IN (?, ?) ORDER BY id, project')
      .raw()
      .all(project, SHARED),
  ) as [project: string, id: string, body: string][];
  const found = new Map<string, LearnedGuard>();
  for (const [owner, id, body] of rows) {
    // Only this module writes them, after the schema has validated them.
    const guard = JSON.parse(body) as LearnedGuard;
    if (owner === SHARED && guard.origin !== project) found.set(id, { ...guard, mode: 'shadow' });
    if (owner === project) found.set(id, guard);
  }
  return [...found.values()];
}

export function readLearnedGuard(ledger: Ledger, project: string, id: string): LearnedGuard | undefined {
  return readLearnedGuards(ledger, project).find(({ guard_id }) => guard_id === id);
}

/** The part of a learned guard needed to evaluate it. */
export type AskedGuard = Pick<LearnedGuard, 'guard_id' | 'mode' | 'definition'>;

/** For hooks: only guards that are not off, and only what evaluation needs. */
export function readAskedGuards(ledger: Ledger, project: string): AskedGuard[] {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare(
        'SELECT project, id, mode, origin, definition FROM learned_guards WHERE project IN (?, ?) ORDER BY id, project',
      )
      .raw()
      .all(project, SHARED),
  ) as [project: string, id: string, mode: LearnedGuard['mode'], origin: string, definition: string][];
  const found = new Map<string, { mode: LearnedGuard['mode']; definition: string }>();
  for (const [owner, id, mode, origin, definition] of rows) {
    if (owner === SHARED && origin !== project) found.set(id, { mode: 'shadow', definition });
    if (owner === project) found.set(id, { mode, definition });
  }
  return [...found]
    .filter(([, { mode }]) => mode !== 'off')
    .map(([guard_id, { mode, definition }]) => ({
      guard_id,
      mode,
      definition: JSON.parse(definition) as LearnedGuard['definition'],
    }));
}

/** The guards recorded in this project, from the table. */
export function readOwnLearnedGuards({ file }: Ledger, project: string): LearnedGuard[] {
  const { database, attempt } = file;
  const bodies = attempt(() =>
    database.prepare('SELECT body FROM learned_guards WHERE project = ? ORDER BY id').pluck().all(project),
  );
  return bodies.map((body) => JSON.parse(String(body)) as LearnedGuard);
}

/** Called in the transaction that appends the entry. */
export function putLearnedGuard({ file }: Ledger, project: string, guard: LearnedGuard): void {
  file.database
    .prepare(
      `INSERT INTO learned_guards (project, id, mode, origin, definition, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (project, id) DO UPDATE SET mode = excluded.mode, origin = excluded.origin,
         definition = excluded.definition, body = excluded.body`,
    )
    .run(
      project,
      guard.guard_id,
      guard.mode,
      guard.origin,
      JSON.stringify(guard.definition),
      JSON.stringify(guard),
    );
}

/** Records a change of a guard in the chain and the table at once. */
export function recordGuard(ledger: Ledger, project: string, recorded: GuardRecorded): void {
  const guard = learnedGuardSchema.parse(recorded.guard);
  ledger.appendMany(project, [{ kind: 'guard_recorded', body: recorded }], () => {
    putLearnedGuard(ledger, project, guard);
    if (recorded.change === 'shared') putLearnedGuard(ledger, SHARED, guard);
  });
}

/** Like `recordGuard`, for a change decided from the current guard while nobody else writes. */
export function changeGuard<Refusal>(
  ledger: Ledger,
  project: string,
  id: string,
  decide: (
    guard: LearnedGuard | undefined,
  ) => { ok: true; recorded: GuardRecorded } | { ok: false; refusal: Refusal },
): { ok: true; guard: LearnedGuard } | { ok: false; refusal: Refusal } {
  return inTransaction(ledger, () => {
    const decided = decide(readLearnedGuard(ledger, project, id));
    if (!decided.ok) return decided;
    recordGuard(ledger, project, decided.recorded);
    return { ok: true, guard: decided.recorded.guard };
  });
}
