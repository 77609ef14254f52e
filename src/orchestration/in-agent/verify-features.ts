import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import type { EventOf, LastResult } from '../session/session-event.ts';
import { tellLast, tellVerification } from '../session-record/tell-verification.ts';
import type { SessionContext } from './session-context.ts';
import type { Details } from './session-details.ts';
import { type SessionBase, verifyInCheckout } from './verify-in-checkout.ts';

type Told<Type extends 'verified' | 'all_verified'> = Omit<EventOf<Type>, 'at'>;

/** Verifies the feature at work. */
export async function verifyOne(
  ground: SessionContext,
  details: Details,
  { feature, attempt }: { feature: string; attempt: number },
  withinMs: number,
): Promise<Told<'verified'>> {
  const signal = AbortSignal.timeout(withinMs);
  const found = await verifyInCheckout(ground, baseOf(details), feature, signal);
  if (signal.aborted) throw tookTooLong(feature, withinMs);
  return { type: 'verified', feature, attempt, ...tellVerification(found) };
}

/** Verifies everything once more on the files as they are. What was verified on these very files stands. */
export async function verifyAll(
  ground: SessionContext,
  details: Details,
  features: readonly string[],
  withinMs: number,
): Promise<Told<'all_verified'>> {
  const { ledger, project, checkout } = ground;
  const signal = AbortSignal.timeout(withinMs);
  const tree = await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  const results: LastResult[] = [];
  for (const feature of features) {
    const known = readFeature(ledger, project, feature);
    if (!known) continue;
    if (known.tested && known.tested_tree === tree && known.tested_in === checkout) {
      results.push({ feature, outcome: 'pass', evidence: known.evidence, why: '' });
      continue;
    }
    const found = await verifyInCheckout(ground, baseOf(details), feature, signal);
    if (signal.aborted) throw tookTooLong(feature, withinMs);
    results.push(tellLast(feature, tellVerification(found)));
  }
  return { type: 'all_verified', results };
}

function baseOf({ base, base_made }: Details): SessionBase {
  if (base === null) throw new Error('nothing is committed that the work could be judged against');
  return { commit: base, made: base_made };
}

function tookTooLong(feature: string, withinMs: number): Error {
  return new Error(
    `that of ${feature} took longer than ${Math.round(withinMs / 60_000)} minutes. Run \`guardkit verify ${feature}\` to see what takes so long, then go on with \`guardkit session resume\``,
  );
}
