import { acceptanceRecorded } from '../kinds/acceptance-recorded.ts';
import { actionJudged } from '../kinds/action-judged.ts';
import { architectureRecorded } from '../kinds/architecture-recorded.ts';
import { attemptBegan } from '../kinds/attempt-began.ts';
import { attemptFailed } from '../kinds/attempt-failed.ts';
import { buildBegan } from '../kinds/build-began.ts';
import { buildEnded } from '../kinds/build-ended.ts';
import { changeNoticed } from '../kinds/change-noticed.ts';
import { changesSeen } from '../kinds/changes-seen.ts';
import { correctionNoticed } from '../kinds/correction-noticed.ts';
import { criteriaRecorded } from '../kinds/criteria-recorded.ts';
import { definitionProposed } from '../kinds/definition-proposed.ts';
import { definitionRecorded } from '../kinds/definition-recorded.ts';
import { definitionsTrusted } from '../kinds/definitions-trusted.ts';
import { evidenceRecorded } from '../kinds/evidence-recorded.ts';
import { featureBegun } from '../kinds/feature-begun.ts';
import { featureBlocked } from '../kinds/feature-blocked.ts';
import { featureCompleted } from '../kinds/feature-completed.ts';
import { featureDiscarded } from '../kinds/feature-discarded.ts';
import { featureReopened } from '../kinds/feature-reopened.ts';
import { featureUnblocked } from '../kinds/feature-unblocked.ts';
import { featuresRecorded } from '../kinds/features-recorded.ts';
import { fileRestored } from '../kinds/file-restored.ts';
import { guardRecorded } from '../kinds/guard-recorded.ts';
import { protectionPaused } from '../kinds/protection-paused.ts';
import { protectionResumed } from '../kinds/protection-resumed.ts';
import { remoteRecorded } from '../kinds/remote-recorded.ts';
import { sessionMoved } from '../kinds/session-moved.ts';
import { sessionRefused } from '../kinds/session-refused.ts';
import { taskOutcomeRecorded } from '../kinds/task-outcome-recorded.ts';
import { taskReset } from '../kinds/task-reset.ts';
import { traceRecorded } from '../kinds/trace-recorded.ts';
import { turnRecorded } from '../kinds/turn-recorded.ts';
import { turnStep } from '../kinds/turn-step.ts';
import { verificationRecorded } from '../kinds/verification-recorded.ts';
import { verifyConfirmed } from '../kinds/verify-confirmed.ts';
import { violationRecorded } from '../kinds/violation-recorded.ts';
import { violationRelabelled } from '../kinds/violation-relabelled.ts';
import { waiverIssued } from '../kinds/waiver-issued.ts';
import { waiverRefused } from '../kinds/waiver-refused.ts';
import { waiverRevoked } from '../kinds/waiver-revoked.ts';
import { waiverUsed } from '../kinds/waiver-used.ts';
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
