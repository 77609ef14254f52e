import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import type { Reconciled } from './reconcile-feature-list.ts';
import { describeListFaults } from './record-list-violation.ts';
import type { Refreshed } from './refresh-tested.ts';

/** For the agent whose change was reverted. Undefined without a violation. */
export function listNoticeForAgent({ faults, violation }: Reconciled): string | undefined {
  if (violation === undefined) return undefined;
  const ways = [...new Set(faults.map(({ guidance }) => guidance))].slice(0, 3);
  return [
    `GuardKit restored ${FEATURE_LIST_PATH}: ${describeListFaults(faults)}.`,
    ...ways,
    'Read the list again before you edit it. This was recorded.',
  ].join(' ');
}

/** For the person, about a list that someone else changed. */
export function listNoticesForPerson({ faults, adopted, quarantined, violation }: Reconciled): string[] {
  const copy = quarantined === null ? '' : ` The replaced version is in the quarantine as ${quarantined}.`;
  const lines: string[] = [];
  if (adopted.length > 0 && violation === undefined)
    lines.push(
      `${FEATURE_LIST_PATH}: ${adopted.length} ${adopted.length === 1 ? 'feature' : 'features'} adopted as untested.`,
    );
  if (faults.length > 0)
    lines.push(
      `${FEATURE_LIST_PATH}: ${describeListFaults(faults)}. ${violation === undefined ? 'GuardKit rejected this change' : 'GuardKit rejected this change by an agent'}.${copy}`,
    );
  return lines;
}

export function formatRefreshed({ stale, false: wrong }: Refreshed): string[] {
  const lines: string[] = [];
  if (stale.length > 0)
    lines.push(
      `No longer tested, because files changed: ${stale.join(', ')}. Run \`guardkit verify\` again.`,
    );
  if (wrong.length > 0)
    lines.push(
      `Features marked as tested without a record: ${wrong.join(', ')}. The ledger was changed from outside; run \`guardkit doctor\`.`,
    );
  return lines;
}
