import type { Ledger } from '../ledger.ts';
import { recentEntries } from './recent-entries.ts';

/** Whether a project has an entry of a kind that counts. */
export function hasEntry(ledger: Ledger, project: string, kind: string): boolean {
  return !recentEntries(ledger, project, [kind]).next().done;
}
