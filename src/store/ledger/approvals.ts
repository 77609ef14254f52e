import { FOUND_AFTERWARDS } from '../../domain/entities/trace.ts';
import type { Ledger } from './ledger.ts';

/** When each feature was last approved: by a Coach, by the gates, or by a person who merged it. */
export function lastApprovals(ledger: Ledger, project: string): Map<string, number> {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare(
        `SELECT body ->> '$.feature_id', max(at) FROM entries WHERE project = @project AND (
           (kind = 'turn_recorded' AND body ->> '$.coach_decision' = 'approved')
           OR (kind = 'verification_recorded' AND body ->> '$.outcome' = 'pass')
           OR kind = 'feature_completed')
         GROUP BY 1`,
      )
      .raw()
      .all({ project }),
  ) as [feature: string | null, at: number][];
  return new Map(rows.flatMap(([feature, at]) => (feature === null ? [] : [[feature, at] as const])));
}

/** Actions with a known violation by the agent, as `session` and `action` joined by a line break. */
export function violatingActions(ledger: Ledger, project: string): Set<string> {
  const { database, attempt } = ledger.file;
  const rows = attempt(() =>
    database
      .prepare(
        `SELECT DISTINCT (body ->> '$.session') || char(10) || (body ->> '$.action') FROM entries
         WHERE project = @project AND kind = 'violation_recorded' AND body ->> '$.action' IS NOT NULL
           AND body ->> '$.guard' <> @unknown`,
      )
      .pluck()
      .all({ project, unknown: FOUND_AFTERWARDS }),
  );
  return new Set(rows.map(String));
}
