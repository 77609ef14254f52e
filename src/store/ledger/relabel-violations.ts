import type { EpisodeInput } from '../../domain/entities/episode.ts';
import { FOUND_AFTERWARDS, traceSchema } from '../../domain/entities/trace.ts';
import type { LedgerEntry } from './chain/ledger-entry.ts';
import type { ViolationRelabelled } from './kinds/guards/violations.ts';
import { violationRecorded, violationRelabelledSchema } from './kinds/guards/violations.ts';
import type { Ledger } from './ledger.ts';

/** An entry with this many traces stays well below the maximum size. */
const CHUNK = 100;

const REASON = 'found after the fact: the author may have been the person';

/**
 * Labels violations that an earlier version of GuardKit recorded for changes of unknown author. The chain keeps them;
 * their traces in memory get the label with the next delivery. Returns how many were labelled; a second call labels
 * none.
 */
export function relabelViolations(ledger: Ledger, project: string): number {
  const wrong = mislabelled(ledger, project);
  for (let index = 0; index < wrong.length; index += CHUNK) {
    const entries = wrong.slice(index, index + CHUNK);
    const body: ViolationRelabelled = {
      numbers: entries.map(({ number }) => number),
      label: 'author-unknown',
      reason: REASON,
      traces: entries.flatMap((entry) => tracesOf(ledger, entry)),
    };
    ledger.append(project, 'violation_relabelled', body);
  }
  return wrong.length;
}

/** The number of the last labelling entry; 0 if there is none. */
export function lastRelabelling(ledger: Ledger, project: string): number {
  return ledger.entries(project, { kind: 'violation_relabelled' }).at(-1)?.number ?? 0;
}

/** Violations that need the label. */
export function mislabelled(ledger: Ledger, project: string): LedgerEntry[] {
  const done = new Set(
    ledger
      .entries(project, { kind: 'violation_relabelled' })
      .flatMap(({ body }) => violationRelabelledSchema.parse(body).numbers),
  );
  return ledger
    .entries(project, { kind: 'violation_recorded' })
    .filter(({ number, body }) => body.guard === FOUND_AFTERWARDS && !done.has(number));
}

/** The same ids and bodies as in the delivery of the violation. */
function tracesOf(ledger: Ledger, entry: LedgerEntry): ViolationRelabelled['traces'] {
  const episodes: EpisodeInput[] = violationRecorded.episodes?.({ ...entry, ledger: ledger.id }) ?? [];
  return episodes.flatMap(({ entity_id: id, body }) =>
    id === undefined ? [] : [{ id, at: entry.at, body: traceSchema.parse(body) }],
  );
}
