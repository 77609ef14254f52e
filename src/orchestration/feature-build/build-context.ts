import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { StoreSettings } from '../../config/project/workspace.ts';
import type { TaskDefinition } from '../../config/work/work.ts';
import type { FailedApproach } from '../../domain/entities/failed-approach.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { RuleSources } from '../../rules/load-rule-sources.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { IdentifiedCriterion } from '../../verification/criteria.ts';
import type { Acceptances } from '../../verification/definition/acceptances.ts';
import type { Definition } from '../../verification/definition/load-definition.ts';
import type { FeatureVerification } from '../../verification/open-verification.ts';
import type { AgentDriver } from '../drivers/agent-driver.ts';
import type { BuildEvent } from './build-event.ts';
import type { BuildRecord } from './build-record.ts';
import type { FeatureWorktree } from './feature-worktree.ts';

/** A committed turn. */
export interface PublishedTurn {
  taskId: string;
  number: number;
  commit: string;
}

/** The settings of a build, from the base, the configuration and the command line. */
export interface BuildSettings {
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  repository: Repository;
  ledger: Ledger;
  store: StoreSettings;
  sandbox: SandboxStatus;
  acceptances: Acceptances;
  /** The feature's definition on the base. */
  definition: Definition;
  /** The feature from the ledger, for one that only the list defines. */
  listed?: Feature | undefined;
  /** The commands to run: the definition's own, or those a person confirmed. */
  verify: VerifyConfig;
  sources: RuleSources;
  /** Earlier approaches to this feature that failed. */
  failedApproaches: readonly FailedApproach[];
  player: AgentDriver;
  coach: AgentDriver;
  maxTurns: number;
  budgetUsd: number | undefined;
  /** Timeout of one agent run. */
  agentTimeoutMs: number;
  /** Prompt budget in tokens. */
  promptTokens: number;
  requirePlan: boolean;
  /** A person accepted failing tests on the base: only further failures count. */
  acceptRedBaseline: boolean;
  signal: AbortSignal | undefined;
  clock: Clock;
  /** Puts a turn's commit where other machines find it, before the turn counts. Omitted on a single machine. */
  publish?: (turn: PublishedTurn) => Promise<void>;
  /** Called after each turn, for example to prune old ones. */
  afterTurn?: () => Promise<void>;
  emit(event: BuildEvent): void;
}

/** A running build of a feature. */
export interface BuildContext extends BuildSettings {
  buildId: string;
  record: BuildRecord;
  worktree: FeatureWorktree;
  resumed: boolean;
  /** Cost of this build so far. */
  spent: { usd: number };
}

/** A task of that build; its definition and commands are those of the commit where it started. */
export interface TaskContext extends BuildContext {
  task: TaskDefinition;
  /** The task file without its front matter. */
  taskText: string;
  verification: FeatureVerification;
  /** Where the task's change starts. */
  baseCommit: string;
  criteria: readonly IdentifiedCriterion[];
  archThreshold: number | undefined;
}
