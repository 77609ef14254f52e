import type { Feature } from '../../domain/entities/feature.ts';
import { recentEntries } from '../../store/ledger/chain/recent-entries.ts';
import type { BuildEnded } from '../../store/ledger/kinds/sessions/builds.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';

export interface LastBuild {
  /** `interrupted`: it was killed, or an error ended it; it can be resumed. */
  outcome: BuildEnded['outcome'] | 'interrupted';
  why: string;
  cost_usd: number;
  at: string;
  /** Merged or discarded since. */
  settled: boolean;
}

const SETTLES = ['feature_completed', 'feature_discarded'];

const INTERRUPTED = { outcome: 'interrupted', why: 'Its process was ended.', cost_usd: 0 } as const;

/** How the last build of each feature ended; of features that are being built, the one before. */
export function lastBuilds(
  ledger: Ledger,
  project: string,
  running: ReadonlySet<string | null>,
): Map<string, LastBuild> {
  const found = new Map<string, LastBuild>();
  const settled = new Set<string>();
  for (const { kind, body, at } of recentEntries(ledger, project, [
    'build_began',
    'build_interrupted',
    'build_ended',
    ...SETTLES,
  ])) {
    const feature = String(body.feature_id);
    if (found.has(feature)) continue;
    if (SETTLES.includes(kind)) {
      settled.add(feature);
      continue;
    }
    if (kind === 'build_began' || kind === 'build_interrupted') {
      const { why } = { ...INTERRUPTED, ...body };
      if (!running.has(feature))
        found.set(feature, { ...INTERRUPTED, why, at, settled: settled.has(feature) });
      continue;
    }
    // Sound because the ledger parses every body by the schema of its kind.
    const { outcome, why, cost_usd } = body as unknown as BuildEnded;
    found.set(feature, { outcome, why, cost_usd, at, settled: settled.has(feature) });
  }
  return found;
}

/** Ended builds that wait for a person: their features are not merged, discarded, blocked or being built again. */
export function waitingBuilds(
  builds: ReadonlyMap<string, LastBuild>,
  features: readonly Feature[],
  running: ReadonlySet<string | null>,
): [string, LastBuild][] {
  const settled = features.filter(
    ({ closed, status }) => closed || status === 'completed' || status === 'blocked',
  );
  const ids = new Set(settled.map(({ id }) => id));
  return [...builds].filter(([id, build]) => !build.settled && !ids.has(id) && !running.has(id));
}
