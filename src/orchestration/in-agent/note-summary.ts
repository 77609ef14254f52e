import { cutText } from '../../domain/json/clean-text.ts';
import { findKnownList } from '../../enforcement/feature-list/known-list.ts';
import { projectList } from '../../enforcement/feature-list/project-list.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { changeFeatures, featuresNumber } from '../../store/ledger/tables/feature-table.ts';
import type { SessionContext } from './session-context.ts';

const MAX_SUMMARY = 1500;
/** The oldest are cut first. */
const MAX_NOTES = 8000;

/** Adds an agent's summary to the feature's notes, for the next agent. */
export function noteSummary(
  { ledger, project, list, changedBy }: SessionContext,
  id: string,
  heading: string,
  said: string,
): void {
  const summary = said.trim();
  if (summary === '') return;
  inTransaction(ledger, () => {
    reconcileFeatureList(list, changedBy);
    changeFeatures(ledger, project, (current) => ({
      by: 'session',
      actor: 'guardkit',
      features: current
        .filter((one) => one.id === id)
        .map((one) => ({
          ...one,
          notes: addNote(one.notes, `[${heading}] ${cutText(summary, MAX_SUMMARY)}`),
        })),
    }));
    const known = findKnownList(list);
    if (known && known.number !== featuresNumber(ledger, project)) projectList(list, known);
  });
}

export function addNote(notes: string, note: string): string {
  const all = notes === '' ? note : `${notes.trimEnd()}\n\n${note}`;
  return all.length <= MAX_NOTES ? all : `…${all.slice(-MAX_NOTES)}`;
}
