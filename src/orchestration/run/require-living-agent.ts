import { GuardKitError } from '../../guardkit-error.ts';
import { attemptFailedSchema } from '../../store/ledger/kinds/sessions/attempt-failed.ts';
import type { Session } from '../session/session.ts';
import type { RunSettings } from './run-context.ts';

/** So many attempts in a row without a report, before the next one is not counted. */
const SILENT_ATTEMPTS = 2;
const LOOKED_AT = 50;

/**
 * An agent that gives no report for one feature after the other does not work here: its model is away, or nobody is logged
 * in. Without this, one night of that would block every feature.
 */
export function requireLivingAgent(
  { ledger, project, player }: RunSettings,
  { session, completed }: Session,
  feature: string,
): void {
  const head = ledger.head(project)?.number ?? 0;
  const recent = ledger
    .entries(project, { kind: 'attempt_failed', afterNumber: Math.max(0, head - 1000) })
    .slice(-LOOKED_AT)
    .map(({ body }) => attemptFailedSchema.parse(body))
    .filter(({ session_id }) => session_id === session)
    .slice(-SILENT_ATTEMPTS);
  const isSilent =
    recent.length === SILENT_ATTEMPTS && recent.every(({ failure }) => failure.outcome === 'failed');
  const isAnother = recent.some(
    ({ feature_id }) => feature_id !== feature && !completed.includes(feature_id),
  );
  if (!isSilent || !isAnother) return;
  throw new GuardKitError({
    code: 'run.agent-silent',
    kind: 'outside',
    message: `The ${player.name} agent gave no report in ${SILENT_ATTEMPTS + 1} attempts in a row, of more than one feature.`,
    hint: 'Look whether it runs here at all: its log-in, its network, its model.',
  });
}
