import type { PendingDefinition } from '../../../enforcement/provenance/pending-definitions.ts';
import type { RunningBuild } from '../../../orchestration/feature-build/build-locks.ts';
import type { ProtectionPaused } from '../../../store/ledger/kinds/protection/pause.ts';
import type { UnseenChange } from '../../../store/ledger/unseen-changes.ts';
import type { ActiveWaiver } from '../../../store/ledger/waivers.ts';
import type { LogEvent } from './log-event.ts';

export type ShownPending = Pick<PendingDefinition, 'path' | 'change' | 'needs'>;

export interface ProtectionStatus {
  /** `kernel`: agents' commands run in a sandbox; `none`: hooks without one; `off`: no hooks. */
  tier: 'kernel' | 'none' | 'off';
  /** Why it is no better; null for `kernel`. */
  why: string | null;
  /** What to do about it. */
  improve: string | null;
  paused: ProtectionPaused | null;
}

export interface RunningSession {
  agent: string;
  session: string;
  checkout: string;
  since: string;
  /** GuardKit started it. */
  driven: boolean;
  feature: string | null;
}

export interface StatusFacts {
  project: string;
  root: string;
  now: number;
  protection: ProtectionStatus;
  waivers: readonly ActiveWaiver[];
  pending: readonly ShownPending[];
  changes: readonly UnseenChange[];
  builds: readonly RunningBuild[];
  sessions: readonly RunningSession[];
  refusals: readonly LogEvent[];
  /** Files that GuardKit restored by itself in the last 24 hours. */
  restored: number;
}
