import type { StoredTrace } from '../../domain/entities/trace.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { type GroupRow, type TraceGroups, withTraceGroups } from '../../store/ledger/tables/trace-groups.ts';
import { patternOfLearned } from './learned-guard-id.ts';
import { placeIn, placeTrace } from './place-trace.ts';
import type { TraceGroup } from './trace-group.ts';

export interface PlacedTraces {
  /** Those that had not been seen before. */
  read: number;
  /** Of those: what counts for nothing. */
  leftOut: number;
  /** The groups that have more to them than before. */
  touched: string[];
}

/** Puts traces to those they are like, each once, however often it comes. */
export function placeTraces(ledger: Ledger, project: string, traces: readonly StoredTrace[]): PlacedTraces {
  return withTraceGroups(ledger, project, (rows) => {
    const buckets = new Map<string, Map<string, TraceGroup>>();
    const bucketOf = (name: string) => {
      const open =
        buckets.get(name) ?? new Map(rows.inBucket(name).map((row) => [row.id, groupOf(row.body)]));
      buckets.set(name, open);
      return open;
    };
    const touched = new Map<string, string>();
    let read = 0;
    let leftOut = 0;
    for (const trace of traces) {
      if (!rows.see(trace.id)) continue;
      read += 1;
      const repeated = repeatedGroup(trace, rows);
      const placed = repeated
        ? placeIn(trace, bucketOf(repeated.bucket).get(repeated.id), repeated.bucket)
        : placeTrace(trace, (name) => [...bucketOf(name).values()]);
      if (!placed) {
        leftOut += 1;
        continue;
      }
      const open = bucketOf(placed.bucket);
      if (placed.dropped !== undefined) {
        open.delete(placed.dropped);
        touched.delete(placed.dropped);
        rows.drop(placed.dropped);
      }
      open.set(placed.group.id, placed.group);
      touched.set(placed.group.id, placed.bucket);
    }
    for (const [id, bucket] of touched)
      rows.put({ id, bucket, body: JSON.stringify(bucketOf(bucket).get(id)) });
    return { read, leftOut, touched: [...touched.keys()] };
  });
}

/** What a learned guard refuses is what its pattern is about, and no pattern of its own. */
function repeatedGroup({ guard }: StoredTrace, rows: TraceGroups): GroupRow | undefined {
  const id = guard === null ? undefined : patternOfLearned(guard);
  return id === undefined ? undefined : rows.find(id);
}

/** Only `placeTraces` writes them. */
export function groupOf(body: string): TraceGroup {
  return JSON.parse(body) as TraceGroup;
}
