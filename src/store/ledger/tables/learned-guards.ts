import { type LearnedGuard, learnedGuardSchema } from '../../../domain/entities/learned-guard.ts';
import { inTransaction } from '../in-transaction.ts';
import { type GuardRecorded, guardRecordedSchema } from '../kinds/memory/guard-recorded.ts';
import type { Ledger } from '../ledger.ts';
import { isTableSealed, sealTable } from '../signing/seals.ts';

/** The project of shared rows. */
const SHARED = '';

/**
 * The guards that a project has learned and those shared with it, by id. A guard that another project shared only
 * watches until somebody promotes it here.
 */
export function readLearnedGuards(ledger: Ledger, project: string): LearnedGuard[] {
  const found = new Map<string, LearnedGuard>();
  for (const guard of guardsOf(ledger, SHARED))
    if (guard.origin !== project) found.set(guard.guard_id, { ...guard, mode: 'shadow' });
  for (const guard of guardsOf(ledger, project)) found.set(guard.guard_id, guard);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, guard]) => guard);
}

/** If something other than GuardKit wrote into the table, the chain decides. */
function guardsOf(ledger: Ledger, owner: string): LearnedGuard[] {
  return ledger.file.attempt(() =>
    isTableSealed(ledger.file, 'learned_guards', owner)
      ? readOwnLearnedGuards(ledger, owner)
      : [...guardsByChain(ledger, owner).values()],
  );
}

/** The guards recorded in a project, or shared by any, from the chain alone. */
export function guardsByChain(ledger: Ledger, owner: string): Map<string, LearnedGuard> {
  const projects = owner === SHARED ? ledger.projects() : [owner];
  const entries = projects.flatMap((project) => ledger.entries(project, { kind: 'guard_recorded' }));
  return new Map(
    entries
      .map(({ body }) => guardRecordedSchema.parse(body))
      .filter(({ change }) => owner !== SHARED || change === 'shared')
      .map(({ guard }) => [guard.guard_id, guard]),
  );
}

export function readLearnedGuard(ledger: Ledger, project: string, id: string): LearnedGuard | undefined {
  return readLearnedGuards(ledger, project).find(({ guard_id }) => guard_id === id);
}

/** The part of a learned guard needed to evaluate it. */
export type AskedGuard = Pick<LearnedGuard, 'guard_id' | 'mode' | 'definition'>;

/** For hooks: only guards that are not off, and only what evaluation needs. */
export function readAskedGuards(ledger: Ledger, project: string): AskedGuard[] {
  const found = new Map<string, { mode: LearnedGuard['mode']; definition: LearnedGuard['definition'] }>();
  for (const { guard_id, definition, origin } of askedOf(ledger, SHARED))
    if (origin !== project) found.set(guard_id, { mode: 'shadow', definition });
  for (const { guard_id, mode, definition } of askedOf(ledger, project))
    found.set(guard_id, { mode, definition });
  return [...found]
    .filter(([, { mode }]) => mode !== 'off')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([guard_id, rest]) => ({ guard_id, ...rest }));
}

function askedOf(ledger: Ledger, owner: string): (AskedGuard & Pick<LearnedGuard, 'origin'>)[] {
  const { database, attempt } = ledger.file;
  if (!attempt(() => isTableSealed(ledger.file, 'learned_guards', owner)))
    return [...guardsByChain(ledger, owner).values()];
  const rows = attempt(() =>
    database
      .prepare('SELECT id, mode, origin, definition FROM learned_guards WHERE project = ?')
      .raw()
      .all(owner),
  ) as [id: string, mode: LearnedGuard['mode'], origin: string, definition: string][];
  return rows.map(([guard_id, mode, origin, definition]) => ({
    guard_id,
    mode,
    origin,
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
function putLearnedGuard({ file }: Ledger, project: string, guard: LearnedGuard): void {
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
  const owners = recorded.change === 'shared' ? [project, SHARED] : [project];
  inTransaction(ledger, () => {
    // Otherwise the new seal would cover what somebody else wrote.
    for (const owner of owners)
      if (!isTableSealed(ledger.file, 'learned_guards', owner)) putGuards(ledger, owner);
    ledger.appendMany(project, [{ kind: 'guard_recorded', body: recorded }], () => {
      for (const owner of owners) {
        putLearnedGuard(ledger, owner, guard);
        sealTable(ledger.file, 'learned_guards', owner);
      }
    });
  });
}

/** Writes the table from the chain. In a transaction. */
export function putGuards(ledger: Ledger, owner: string): void {
  ledger.file.database.prepare('DELETE FROM learned_guards WHERE project = ?').run(owner);
  for (const guard of guardsByChain(ledger, owner).values()) putLearnedGuard(ledger, owner, guard);
  sealTable(ledger.file, 'learned_guards', owner);
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
