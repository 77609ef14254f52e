import type { VerifyConfig } from '../../config/verify-config.ts';
import type { TaskDefinition } from '../../config/work.ts';
import type { FailedApproach } from '../../domain/failed-approach.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Repository } from '../../platform/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { IdentifiedCriterion } from '../../verification/criteria.ts';
import type { Acceptances } from '../../verification/definition/acceptances.ts';
import type { Definition } from '../../verification/definition/load-definition.ts';
import type { AgentDriver } from '../drivers/agent-driver.ts';
import type { BuildEvent } from './build-event.ts';
import type { BuildRecord } from './build-record.ts';
import type { FeatureWorktree } from './feature-worktree.ts';

/** What one build of a feature is made with; the same from its first turn to its last. */
export interface BuildContext {
  buildId: string;
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  repository: Repository;
  ledger: Ledger;
  record: BuildRecord;
  worktree: FeatureWorktree;
  sandbox: SandboxStatus;
  acceptances: Acceptances;
  sources: RuleSources;
  player: AgentDriver;
  coach: AgentDriver;
  maxTurns: number;
  budgetUsd: number | undefined;
  /** How long one run of an agent may take. */
  agentTimeoutMs: number;
  /** About how many tokens a prompt may have. */
  promptTokens: number;
  requirePlan: boolean;
  resumed: boolean;
  signal: AbortSignal | undefined;
  clock: Clock;
  emit(event: BuildEvent): void;
  afterTurn?: () => Promise<void>;
  /** Costs of this build so far. */
  spent: { usd: number };
}

/** A task of that build, with what judges it. */
export interface TaskContext extends BuildContext {
  task: TaskDefinition;
  /** Its own text, without the front matter. */
  taskText: string;
  definition: Definition;
  verify: VerifyConfig;
  /** Where the task's change starts. */
  baseCommit: string;
  criteria: readonly IdentifiedCriterion[];
  archThreshold: number | undefined;
  /** What was tried for this feature before and did not work. */
  failedApproaches: readonly FailedApproach[];
}
