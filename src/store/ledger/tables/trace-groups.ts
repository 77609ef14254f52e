import { inTransaction } from '../in-transaction.ts';
import type { Ledger } from '../ledger.ts';

export interface GroupRow {
  id: string;
  bucket: string;
  /** JSON in a format of the grouping code. */
  body: string;
}

/** The groups of a project's traces, for placing further traces in one transaction. */
export interface TraceGroups {
  /** False if the trace was seen before. */
  see(trace: string): boolean;
  inBucket(bucket: string): GroupRow[];
  find(id: string): GroupRow | undefined;
  put(row: GroupRow): void;
  drop(id: string): void;
}

/** All or nothing, and no other process groups traces in the meantime. */
export function withTraceGroups<Result>(
  ledger: Ledger,
  project: string,
  work: (groups: TraceGroups) => Result,
): Result {
  const { database } = ledger.file;
  return inTransaction(ledger, () => {
    const see = database.prepare('INSERT OR IGNORE INTO seen_traces (project, trace) VALUES (?, ?)');
    const bucket = database.prepare(
      'SELECT id, bucket, body FROM trace_groups WHERE project = ? AND bucket = ? ORDER BY id',
    );
    const put = database.prepare(
      `INSERT INTO trace_groups (project, id, bucket, body) VALUES (@project, @id, @bucket, @body)
       ON CONFLICT (project, id) DO UPDATE SET body = excluded.body`,
    );
    const one = database.prepare('SELECT id, bucket, body FROM trace_groups WHERE project = ? AND id = ?');
    const drop = database.prepare('DELETE FROM trace_groups WHERE project = ? AND id = ?');
    return work({
      see: (trace) => see.run(project, trace).changes > 0,
      inBucket: (name) => bucket.all(project, name) as GroupRow[],
      find: (id) => one.get(project, id) as GroupRow | undefined,
      put: (row) => {
        put.run({ project, ...row });
      },
      drop: (id) => {
        drop.run(project, id);
      },
    });
  });
}

/** The groups with these ids (default: all). */
export function readTraceGroups(ledger: Ledger, project: string, ids?: ReadonlySet<string>): GroupRow[] {
  const { database, attempt } = ledger.file;
  return attempt(() => {
    if (ids === undefined)
      return database
        .prepare('SELECT id, bucket, body FROM trace_groups WHERE project = ? ORDER BY id')
        .all(project) as GroupRow[];
    const one = database.prepare('SELECT id, bucket, body FROM trace_groups WHERE project = ? AND id = ?');
    return [...ids].sort().flatMap((id) => (one.get(project, id) as GroupRow | undefined) ?? []);
  });
}

/** Resets grouping, so that all traces are read again. */
export function forgetTraceGroups(ledger: Ledger, project: string): void {
  const { database } = ledger.file;
  inTransaction(ledger, () => {
    database.prepare('DELETE FROM seen_traces WHERE project = ?').run(project);
    database.prepare('DELETE FROM trace_groups WHERE project = ?').run(project);
  });
}
