import { actionJudged } from '../kinds/guards/action-judged.ts';
import { violationRecorded } from '../kinds/guards/violation-recorded.ts';
import { violationRelabelled } from '../kinds/guards/violation-relabelled.ts';
import { waiverIssued } from '../kinds/guards/waiver-issued.ts';
import { waiverRefused } from '../kinds/guards/waiver-refused.ts';
import { waiverRevoked } from '../kinds/guards/waiver-revoked.ts';
import { waiverUsed } from '../kinds/guards/waiver-used.ts';
import { architectureRecorded } from '../kinds/memory/architecture-recorded.ts';
import { correctionNoticed } from '../kinds/memory/correction-noticed.ts';
import { guardRecorded } from '../kinds/memory/guard-recorded.ts';
import { traceRecorded } from '../kinds/memory/trace-recorded.ts';
import { acceptanceRecorded } from '../kinds/protection/acceptance-recorded.ts';
import { changeNoticed } from '../kinds/protection/change-noticed.ts';
import { changesSeen } from '../kinds/protection/changes-seen.ts';
import { definitionProposed } from '../kinds/protection/definition-proposed.ts';
import { definitionRecorded } from '../kinds/protection/definition-recorded.ts';
import { definitionsTrusted } from '../kinds/protection/definitions-trusted.ts';
import { fileRestored } from '../kinds/protection/file-restored.ts';
import { protectionPaused } from '../kinds/protection/protection-paused.ts';
import { protectionResumed } from '../kinds/protection/protection-resumed.ts';
import { remoteRecorded } from '../kinds/protection/remote-recorded.ts';
import { attemptBegan } from '../kinds/sessions/attempt-began.ts';
import { attemptFailed } from '../kinds/sessions/attempt-failed.ts';
import { buildBegan } from '../kinds/sessions/build-began.ts';
import { buildEnded } from '../kinds/sessions/build-ended.ts';
import { sessionMoved } from '../kinds/sessions/session-moved.ts';
import { sessionRefused } from '../kinds/sessions/session-refused.ts';
import { turnRecorded } from '../kinds/sessions/turn-recorded.ts';
import { turnStep } from '../kinds/sessions/turn-step.ts';
import { evidenceRecorded } from '../kinds/verification/evidence-recorded.ts';
import { verificationRecorded } from '../kinds/verification/verification-recorded.ts';
import { verifyConfirmed } from '../kinds/verification/verify-confirmed.ts';
import { criteriaRecorded } from '../kinds/work/criteria-recorded.ts';
import { featureBegun } from '../kinds/work/feature-begun.ts';
import { featureBlocked } from '../kinds/work/feature-blocked.ts';
import { featureCompleted } from '../kinds/work/feature-completed.ts';
import { featureDiscarded } from '../kinds/work/feature-discarded.ts';
import { featureReopened } from '../kinds/work/feature-reopened.ts';
import { featureUnblocked } from '../kinds/work/feature-unblocked.ts';
import { featuresRecorded } from '../kinds/work/features-recorded.ts';
import { taskOutcomeRecorded } from '../kinds/work/task-outcome-recorded.ts';
import { taskReset } from '../kinds/work/task-reset.ts';
import { type EntryKind, entryKindRegistry } from './entry-kind.ts';

/** Every kind of entry GuardKit itself records. */
export const ENTRY_KINDS: readonly EntryKind[] = [
  turnRecorded,
  evidenceRecorded,
  verificationRecorded,
  acceptanceRecorded,
  verifyConfirmed,
  criteriaRecorded,
  buildBegan,
  buildEnded,
  turnStep,
  taskReset,
  taskOutcomeRecorded,
  featureCompleted,
  featureDiscarded,
  featureUnblocked,
  waiverIssued,
  waiverUsed,
  waiverRefused,
  waiverRevoked,
  actionJudged,
  violationRecorded,
  featuresRecorded,
  architectureRecorded,
  correctionNoticed,
  traceRecorded,
  guardRecorded,
  sessionMoved,
  sessionRefused,
  attemptBegan,
  attemptFailed,
  featureBlocked,
  featureReopened,
  changeNoticed,
  changesSeen,
  definitionProposed,
  definitionRecorded,
  definitionsTrusted,
  fileRestored,
  remoteRecorded,
  protectionPaused,
  protectionResumed,
  violationRelabelled,
  featureBegun,
];

export const ENTRY_KIND_REGISTRY = entryKindRegistry(ENTRY_KINDS);
