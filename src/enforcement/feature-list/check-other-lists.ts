import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import { systemClock } from '../../platform/clock.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { ChangeActor } from './change-actor.ts';
import type { FeatureListContext } from './known-list.ts';
import { readListFile } from './list-file.ts';
import { type Reconciled, reconcileFeatureList } from './reconcile-feature-list.ts';

/**
 * Checks the lists of a person's other checkouts: if one claims more `tested` features than the ledger while an agent acts
 * here, it is reconciled at once. Other changes are left to the sessions in that checkout.
 */
export function checkOtherLists(
  context: FeatureListContext,
  checkouts: readonly string[],
  changedBy: ChangeActor,
): Reconciled[] {
  return checkouts.flatMap((checkout) => {
    const there = { ...context, checkout };
    const key = `list beside ${context.project} ${checkout}`;
    const stamp = stampOf(checkout);
    const before = findLastCached(context.ledger, key)?.stamp ?? (stamp === '' ? '' : undefined);
    if (before === stamp) return [];
    const found = changedBy.inWindow && before !== undefined && claimsMoreThanLedger(there);
    const looked = found ? [reconcileFeatureList(there, changedBy)] : [];
    cacheRead(context.ledger, key, stampOf(checkout), null);
    return looked;
  });
}

function stampOf(checkout: string): string {
  try {
    const stat = lstatSync(join(checkout, FEATURE_LIST_PATH), { bigint: true, throwIfNoEntry: false });
    return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':') : '';
  } catch {
    // Safe: sessions in that checkout check it too.
    return '';
  }
}

function claimsMoreThanLedger(context: FeatureListContext): boolean {
  const found = readListFile(context.checkout, systemClock());
  if (found.kind !== 'file') return false;
  const tested = new Set(
    readFeatures(context.ledger, context.project).flatMap(({ id, tested: is }) => (is ? [id] : [])),
  );
  try {
    const list: unknown = JSON.parse(found.bytes.toString('utf8'));
    const features: unknown = Reflect.get(Object(list), 'features');
    return (
      Array.isArray(features) &&
      features.some((one) => {
        const { id, tested: claimed } = Object(one);
        return claimed !== undefined && claimed !== false && !tested.has(id);
      })
    );
  } catch {
    // Safe: an unreadable list claims nothing.
    return false;
  }
}
