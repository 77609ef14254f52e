import { isDoctorSession } from '../../domain/doctor-session.ts';
import type { Action } from '../../guards/action.ts';
import { keepAction } from '../../guards/keep-action.ts';
import type { Verdict } from '../../guards/verdict.ts';
import { insertKeptAction, pruneKept } from '../../store/ledger/tables/kept-actions.ts';
import { watchTables } from '../actions/open-actions.ts';
import { NO_WORK } from '../actions/sessions.ts';
import { shownFeatures } from '../feature-list/known-list.ts';
import type { HookContext } from './hook-context.ts';

/** A long session is looked through now and then, since nobody may end it. */
const PRUNED_EVERY = 2000;

/** Keeps an action and what became of it. Nobody waits for the disk, and nothing that goes wrong here stops an agent. */
export function recordAction(
  { watch, list, session, source, keeping }: HookContext,
  action: Action,
  id: string | null,
  verdict: Verdict,
): void {
  const { ledger, project, checkout } = watch;
  if (!keeping.actions || isDoctorSession(source.session)) return;
  const limits = keeping.actions;
  try {
    const at = Date.now();
    const body = keepAction(action, verdict, {
      root: checkout,
      driven: session.driven,
      canAsk: source.canAsk,
      work: session.work ?? NO_WORK,
      features: () => shownFeatures(list),
    });
    const { kind } = action;
    watchTables(ledger).exclusively(() => {
      const { decision } = verdict;
      const kept = { project, session: source.session, action: id, at, kind, decision, body };
      if (insertKeptAction(ledger, kept) % PRUNED_EVERY === 0) pruneKept(ledger, project, limits, at);
    });
  } catch {
    // Safe: it is kept to learn from. What enforcement stands on was written before.
  }
}
