import { type BuildBegan, buildBeganSchema } from '../../store/ledger/kinds/build-began.ts';
import type { BuildEnded } from '../../store/ledger/kinds/build-ended.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { BuildRecord } from '../feature-build/build-record.ts';
import { findCurrentBuild } from '../feature-build/current-build.ts';
import { attemptBeganAt } from '../session-record/session-features.ts';

/** How an attempt of a session goes on, by what the ledger has of it. */
export type AttemptBuild =
  /** It ended, and the session had no time to hear of it. */
  | { type: 'ended'; build: BuildBegan; end: BuildEnded }
  /** It was cut off, cancelled, or stopped for want of money. */
  | { type: 'resume'; build: BuildBegan }
  /** Somebody built it by hand, and nothing has spoken against it since. */
  | { type: 'built_before'; build: BuildBegan }
  /** `holds` where what stands was not approved in vain. */
  | { type: 'begin'; standing: BuildBegan | undefined; holds: boolean };

const GOES_ON: ReadonlySet<BuildEnded['outcome']> = new Set(['cancelled', 'budget']);

export function attemptBuild(
  ledger: Ledger,
  project: string,
  record: BuildRecord,
  {
    attempt,
    spokenAt,
  }: {
    attempt: number /** The last entry that speaks against what was built; 0 if none. */;
    spokenAt: number;
  },
): AttemptBuild {
  const { featureId } = record;
  const standing = findCurrentBuild(ledger, project, featureId);
  if (!standing) return { type: 'begin', standing: undefined, holds: true };
  const { completed: _merged, ...build } = standing;
  const end = record.endOf(build.build_id);
  const began = attemptBeganAt(ledger, project, featureId, attempt) ?? Number.POSITIVE_INFINITY;
  const number = numberOf(ledger, project, build);
  const isOwn = number > began;
  if (!end || GOES_ON.has(end.outcome))
    return isOwn ? { type: 'resume', build } : { type: 'begin', standing: build, holds: true };
  if (isOwn) return { type: 'ended', build, end };
  if (end.outcome !== 'approved') return { type: 'begin', standing: build, holds: true };
  const holds = number > spokenAt && !standing.completed;
  return holds ? { type: 'built_before', build } : { type: 'begin', standing: build, holds };
}

function numberOf(ledger: Ledger, project: string, { feature_id, build_id }: BuildBegan): number {
  const of = { kind: 'build_began', field: 'feature_id', value: feature_id } as const;
  for (const { number, body } of ledger.lookup(project, of))
    if (buildBeganSchema.parse(body).build_id === build_id) return number;
  return 0;
}
