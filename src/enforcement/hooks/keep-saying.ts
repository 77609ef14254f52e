import { isDoctorSession } from '../../domain/doctor-session.ts';
import { withoutRecalled } from '../../domain/recalled.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { insertTranscriptLine, type TranscriptLine } from '../../store/ledger/tables/transcript.ts';
import { watchTables } from '../actions/open-actions.ts';
import type { HookContext } from './hook-context.ts';

const MAX_TEXT = 4000;

/** Keeps what was said in a session, so that a correction can be told from what came before. Nothing rests on it. */
export function keepSaying(
  { watch, source, keeping }: HookContext,
  who: TranscriptLine['who'],
  text: string,
): void {
  const { ledger, project } = watch;
  const { session } = source;
  if (isDoctorSession(session)) return;
  try {
    // What an agent says last is what it asks; what a person says first is what it is about.
    const part = who === 'agent' ? text.slice(-MAX_TEXT) : text.slice(0, MAX_TEXT);
    const kept = keeping.corrections ? scrubSecrets(withoutRecalled(part.toWellFormed())) : '';
    watchTables(ledger).exclusively(() =>
      insertTranscriptLine(ledger, { project, session, at: Date.now(), who, text: kept }),
    );
  } catch {
    // Safe: a correction that goes unnoticed is all that is lost.
  }
}
