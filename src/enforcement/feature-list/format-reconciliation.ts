import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import type { Reconciled } from './reconcile-feature-list.ts';
import { describeListFaults } from './record-list-violation.ts';
import type { Refreshed } from './refresh-tested.ts';

/** What the agent is told whose change did not stand: what, and what to do instead. Undefined where all of it stands. */
export function tellAgent({ faults, violation }: Reconciled): string | undefined {
  if (violation === undefined) return undefined;
  const ways = [...new Set(faults.map(({ guidance }) => guidance))].slice(0, 3);
  return [
    `GuardKit: ${FEATURE_LIST_PATH} is put back as it was in this: ${describeListFaults(faults)}.`,
    ...ways,
    'Read the list again before you edit it. This is on record.',
  ].join(' ');
}

/** What a person is told of a list that was not as GuardKit left it. */
export function tellPerson({ faults, adopted, quarantined, violation }: Reconciled): string[] {
  const copy = quarantined === null ? '' : ` What was there is kept in the quarantine as ${quarantined}.`;
  const lines: string[] = [];
  if (adopted.length > 0 && violation === undefined)
    lines.push(
      `${FEATURE_LIST_PATH}: ${adopted.length} ${adopted.length === 1 ? 'feature was' : 'features were'} taken in, untested.`,
    );
  if (faults.length > 0)
    lines.push(
      `${FEATURE_LIST_PATH}: ${describeListFaults(faults)}. This does not stand${violation === undefined ? '' : ', and was an agent’s doing'}.${copy}`,
    );
  return lines;
}

/** What everybody is told whose features are no longer tested. */
export function formatRefreshed({ stale, false: wrong }: Refreshed): string[] {
  const lines: string[] = [];
  if (stale.length > 0)
    lines.push(
      `No longer tested, since files have changed: ${stale.join(', ')}. \`guardkit verify\` looks again.`,
    );
  if (wrong.length > 0)
    lines.push(
      `The ledger had features as tested that nothing on record says: ${wrong.join(', ')}. Somebody wrote into it; \`guardkit doctor\` looks further.`,
    );
  return lines;
}
