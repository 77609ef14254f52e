import type { Ledger } from '../../store/ledger/ledger.ts';
import type { KeptAction } from '../../store/ledger/tables/kept-actions.ts';

/** How often a guard acted, since a time. */
export interface GuardRecord {
  /** It objected, with any effect. */
  fired: number;
  refused: number;
  warned: number;
  /** It only watched. */
  watched: number;
  /** A person waived it. */
  waived: number;
  /** It warned, and the work was approved later. */
  approved: number;
}

/**
 * A guard's record in the ledger since a time in milliseconds. `approvals` gives when each feature was last approved.
 */
export function guardRecord(
  ledger: Ledger,
  project: string,
  guard: string,
  {
    since,
    kept,
    approvals,
  }: { since: number; kept: Iterable<KeptAction>; approvals: ReadonlyMap<string, number> },
): GuardRecord {
  const record: GuardRecord = {
    fired: 0,
    refused: 0,
    warned: 0,
    watched: 0,
    waived: waiversUsed(ledger, project, guard, since),
    approved: 0,
  };
  for (const { at, decision, body } of kept) {
    const finding = at < since ? undefined : body.findings?.find((one) => one.guard === guard);
    if (!finding) continue;
    record.fired += 1;
    if (finding.silent === 'shadow') record.watched += 1;
    if (finding.silent !== null) continue;
    if (finding.decision === 'warn') record.warned += 1;
    else record.refused += 1;
    const approved = body.feature === undefined ? undefined : approvals.get(body.feature);
    if (finding.decision === 'warn' && decision !== 'deny' && approved !== undefined && approved > at)
      record.approved += 1;
  }
  return record;
}

function waiversUsed({ file }: Ledger, project: string, guard: string, since: number): number {
  const { database, attempt } = file;
  return attempt(() =>
    Number(
      database
        .prepare(
          `SELECT count(*) FROM entries WHERE project = @project AND kind = 'waiver_used' AND at >= @since
           AND body ->> '$.guard' = @guard`,
        )
        .pluck()
        .get({ project, guard, since }),
    ),
  );
}
