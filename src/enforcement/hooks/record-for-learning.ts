import { isDoctorSession } from '../../domain/doctor-session.ts';
import { withoutRecalled } from '../../domain/precedent-marks.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import type { Action } from '../../guards/action.ts';
import type { Verdict } from '../../guards/guard.ts';
import { toRecordedAction } from '../../guards/to-recorded-action.ts';
import { insertKeptAction, pruneKept } from '../../store/ledger/tables/kept-actions.ts';
import { insertTranscriptLine, type TranscriptLine } from '../../store/ledger/tables/transcript.ts';
import { watchTables } from '../actions/open-actions.ts';
import { NO_WORK } from '../actions/sessions.ts';
import { shownFeatures } from '../feature-list/known-list.ts';
import type { HookContext } from './hook-context.ts';

/** Also prune during a session, since a long one may never end. */
const PRUNED_EVERY = 2000;

/** Keeps an action and its verdict for backtests. Does not wait for the disk, and a failure never stops an agent. */
export function recordAction(
  { watch, list, session, source, recording }: HookContext,
  action: Action,
  id: string | null,
  verdict: Verdict,
): void {
  const { ledger, project, checkout } = watch;
  if (!recording.actions || isDoctorSession(source.session)) return;
  const limits = recording.actions;
  try {
    const at = Date.now();
    const body = toRecordedAction(action, verdict, {
      root: checkout,
      driven: session.driven,
      canAsk: source.canAsk,
      work: session.work ?? NO_WORK,
      features: () => shownFeatures(list),
    });
    const { kind } = action;
    const keep = () => {
      const { decision } = verdict;
      const kept = { project, session: source.session, action: id, at, kind, decision, body };
      if (insertKeptAction(ledger, kept) % PRUNED_EVERY === 0) pruneKept(ledger, project, limits, at);
      return [];
    };
    watchTables(ledger).exclusively(() =>
      ledger.event ? ledger.event.once('kept action', at, keep) : keep(),
    );
  } catch {
    // Safe: the row is only for learning. Enforcement's own records were written before.
  }
}

const MAX_TEXT = 4000;

/** Keeps prompts and replies, from which corrections are recognized. Enforcement does not depend on it. */
export function recordTranscript(
  { watch, source, recording }: HookContext,
  who: TranscriptLine['who'],
  text: string,
): void {
  const { ledger, project } = watch;
  const { session } = source;
  if (isDoctorSession(session)) return;
  try {
    // An agent's question is at the end of its reply; a person's subject is at the start of the prompt.
    const part = who === 'agent' ? text.slice(-MAX_TEXT) : text.slice(0, MAX_TEXT);
    const kept = recording.corrections ? scrubSecrets(withoutRecalled(part.toWellFormed())) : '';
    watchTables(ledger).exclusively(() =>
      insertTranscriptLine(ledger, { project, session, at: Date.now(), who, text: kept }),
    );
  } catch {
    // Safe: at worst a correction is not recognized.
  }
}
