import {
  type ChangeNoticed,
  changeNoticedSchema,
  changesSeenSchema,
} from './kinds/protection/effective-changes.ts';
import type { Ledger } from './ledger.ts';

export interface UnseenChange extends ChangeNoticed {
  number: number;
  at: string;
}

/** Changes to effective files that no person has seen, oldest first. */
export function unseenChanges(ledger: Ledger, project: string): UnseenChange[] {
  const noticed = ledger.entries(project, { kind: 'change_noticed' });
  if (noticed.length === 0) return [];
  const seen = new Set(
    ledger
      .entries(project, { kind: 'changes_seen' })
      .flatMap(({ body }) => changesSeenSchema.parse(body).numbers),
  );
  return noticed
    .filter(({ number }) => !seen.has(number))
    .map(({ number, at, body }) => ({ number, at, ...changeNoticedSchema.parse(body) }));
}
