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
import type { FeatureVerification } from '../../verification/open-feature-verification.ts';
import type { AgentDriver } from '../drivers/agent-driver.ts';
import type { BuildEvent } from './build-event.ts';
import type { BuildRecord } from './build-record.ts';
import type { FeatureWorktree } from './feature-worktree.ts';

/** What a build is made with, as the base, the configuration and the command line say. */
export interface BuildSettings {
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  repository: Repository;
  ledger: Ledger;
  store: StoreSettings;
  sandbox: SandboxStatus;
  acceptances: Acceptances;
  /** Of the feature, as the base has it. */
  definition: Definition;
  /** The feature as the ledger has it, for one that only the list defines. */
  listed?: Feature | undefined;
  /** What is run: the definition's own, or what a person confirmed. */
  verify: VerifyConfig;
  sources: RuleSources;
  /** What was tried for this feature before and did not work. */
  failedApproaches: readonly FailedApproach[];
  player: AgentDriver;
  coach: AgentDriver;
  maxTurns: number;
  budgetUsd: number | undefined;
  /** How long one run of an agent may take. */
  agentTimeoutMs: number;
  /** About how many tokens a prompt may have. */
  promptTokens: number;
  requirePlan: boolean;
  /** A person goes on though tests fail on the base: only what fails beyond that counts. */
  acceptRedBaseline: boolean;
  signal: AbortSignal | undefined;
  clock: Clock;
  /** Done when a turn is finished, such as clearing out old ones. */
  afterTurn?: () => Promise<void>;
  emit(event: BuildEvent): void;
}

/** One build of a feature that is under way; the same from its first turn to its last. */
export interface BuildContext extends BuildSettings {
  buildId: string;
  record: BuildRecord;
  worktree: FeatureWorktree;
  resumed: boolean;
  /** Costs of this build so far. */
  spent: { usd: number };
}

/** A task of that build; its definition, and what is run for it, are those of where it started. */
export interface TaskContext extends BuildContext {
  task: TaskDefinition;
  /** Its own text, without the front matter. */
  taskText: string;
  verification: FeatureVerification;
  /** Where the task's change starts. */
  baseCommit: string;
  criteria: readonly IdentifiedCriterion[];
  archThreshold: number | undefined;
}
