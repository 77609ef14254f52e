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
 * The lists of a person's other checkouts: one that came to claim more than the ledger knows while an agent acted here is
 * set right at once. All else in it is for whoever works there.
 */
export function lookAtOtherLists(
  context: FeatureListContext,
  checkouts: readonly string[],
  doer: ChangeActor,
): Reconciled[] {
  return checkouts.flatMap((checkout) => {
    const there = { ...context, checkout };
    const key = `list beside ${context.project} ${checkout}`;
    const stamp = stampOf(checkout);
    const before = findLastCached(context.ledger, key)?.stamp ?? (stamp === '' ? '' : undefined);
    if (before === stamp) return [];
    const found = doer.inWindow && before !== undefined && claimsTooMuch(there);
    const looked = found ? [reconcileFeatureList(there, doer)] : [];
    cacheRead(context.ledger, key, stampOf(checkout), null);
    return looked;
  });
}

function stampOf(checkout: string): string {
  try {
    const stat = lstatSync(join(checkout, FEATURE_LIST_PATH), { bigint: true, throwIfNoEntry: false });
    return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':') : '';
  } catch {
    // Safe: whoever works there looks at it as well.
    return '';
  }
}

function claimsTooMuch(context: FeatureListContext): boolean {
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
    // Safe: what cannot be read claims nothing.
    return false;
  }
}
