import { actionJudged } from '../kinds/guards/action-judged.ts';
import { violationRecorded, violationRelabelled } from '../kinds/guards/violations.ts';
import { waiverIssued, waiverRefused, waiverRevoked, waiverUsed } from '../kinds/guards/waivers.ts';
import { architectureRecorded } from '../kinds/memory/architecture-recorded.ts';
import { correctionNoticed } from '../kinds/memory/correction-noticed.ts';
import { guardRecorded } from '../kinds/memory/guard-recorded.ts';
import { traceRecorded } from '../kinds/memory/trace-recorded.ts';
import { acceptanceRecorded } from '../kinds/protection/acceptance-recorded.ts';
import {
  definitionProposed,
  definitionRecorded,
  definitionsTrusted,
} from '../kinds/protection/definitions.ts';
import { changeNoticed, changesSeen } from '../kinds/protection/effective-changes.ts';
import { fileRestored } from '../kinds/protection/file-restored.ts';
import { protectionPaused, protectionResumed } from '../kinds/protection/pause.ts';
import { recordsAdopted } from '../kinds/protection/records-adopted.ts';
import { remoteRecorded } from '../kinds/protection/remote-recorded.ts';
import { attemptBegan, attemptFailed } from '../kinds/sessions/attempts.ts';
import { buildBegan, buildEnded, buildInterrupted } from '../kinds/sessions/builds.ts';
import { sessionMoved, sessionRefused } from '../kinds/sessions/session-events.ts';
import { turnRecorded, turnStep } from '../kinds/sessions/turns.ts';
import { evidenceRecorded, verificationRecorded, verifyConfirmed } from '../kinds/work/evidence.ts';
import {
  featureBegun,
  featureBlocked,
  featureCompleted,
  featureDiscarded,
  featureReopened,
  featureUnblocked,
} from '../kinds/work/feature-lifecycle.ts';
import { featuresRecorded } from '../kinds/work/features-recorded.ts';
import { featureStacked, integrationFailed } from '../kinds/work/integration.ts';
import { criteriaRecorded, taskOutcomeRecorded, taskReset } from '../kinds/work/tasks.ts';
import { type EntryKind, entryKindRegistry } from './entry-kind.ts';

/** Every kind of entry that GuardKit itself records. */
export const ENTRY_KINDS: readonly EntryKind[] = [
  turnRecorded,
  evidenceRecorded,
  verificationRecorded,
  acceptanceRecorded,
  verifyConfirmed,
  criteriaRecorded,
  buildBegan,
  buildEnded,
  buildInterrupted,
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
  recordsAdopted,
  protectionPaused,
  protectionResumed,
  violationRelabelled,
  featureBegun,
  featureStacked,
  integrationFailed,
];

export const ENTRY_KIND_REGISTRY = entryKindRegistry(ENTRY_KINDS);
