import { recentEntries } from '../../../store/ledger/chain/recent-entries.ts';
import type { BuildEnded } from '../../../store/ledger/kinds/sessions/builds.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';

export interface LastBuild {
  outcome: BuildEnded['outcome'];
  why: string;
  cost_usd: number;
  at: string;
  /** Merged or discarded since. */
  settled: boolean;
}

const SETTLES = ['feature_completed', 'feature_discarded'];

/** How the last build of each feature ended. */
export function lastBuilds(ledger: Ledger, project: string): Map<string, LastBuild> {
  const found = new Map<string, LastBuild>();
  const settled = new Set<string>();
  for (const { kind, body, at } of recentEntries(ledger, project, ['build_ended', ...SETTLES])) {
    const feature = String(body.feature_id);
    if (found.has(feature)) continue;
    if (kind !== 'build_ended') {
      settled.add(feature);
      continue;
    }
    // Sound because the ledger parses every body by the schema of its kind.
    const { outcome, why, cost_usd } = body as unknown as BuildEnded;
    found.set(feature, { outcome, why, cost_usd, at, settled: settled.has(feature) });
  }
  return found;
}
