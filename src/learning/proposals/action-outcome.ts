import type { KeptAction } from '../../store/ledger/tables/kept-actions.ts';

/** What became of an action, as far as anybody has said. */
export type ActionOutcome = 'violation' | 'approved' | 'unknown';

export interface OutcomeFacts {
  /** When the work on each feature was last approved, in milliseconds. */
  approvals: ReadonlyMap<string, number>;
  /** `session` and `action`, joined by a line break, of actions in which something was changed and put back. */
  violating: ReadonlySet<string>;
  /** The same of actions that a pattern's traces tell of. */
  traced: ReadonlySet<string>;
}

export function actionKey(session: string, action: string): string {
  return `${session}\n${action}`;
}

/** How a recorded action stands. What the guard itself said of it is no proof that the guard is right. */
export function actionOutcome(
  { session, action, at, decision, body }: KeptAction,
  { approvals, violating, traced }: OutcomeFacts,
  guard: string,
): ActionOutcome {
  const key = action === null ? undefined : actionKey(session, action);
  if (key !== undefined && (violating.has(key) || traced.has(key))) return 'violation';
  const others = (body.findings ?? []).filter((finding) => finding.guard !== guard);
  // A person let it pass.
  if ((body.findings ?? []).some(({ silent }) => silent === 'waived')) return 'approved';
  if (others.some((finding) => finding.silent === null && finding.decision !== 'ask')) return 'violation';
  // Refused by this guard alone: nothing was done that could have been approved.
  if (decision === 'deny') return 'unknown';
  const approved = body.feature === undefined ? undefined : approvals.get(body.feature);
  return approved !== undefined && approved > at ? 'approved' : 'unknown';
}
