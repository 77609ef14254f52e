import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { Evidence } from '../../domain/entities/evidence.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { VerificationWorkspace } from '../workspaces/verification-workspace.ts';

/** Shared by all runs of one verification. */
export interface RunContext {
  /** GuardKit's data folder. */
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  ledger: Ledger;
  repository: Repository;
  workspace: VerificationWorkspace;
  sandbox: SandboxStatus;
  network: Evidence['network'];
  /** Variables from the base's configuration. */
  variables: Pick<VerifyConfig, 'env' | 'pass_env'>;
  featureId: string;
  /** Null for a whole feature. */
  taskId: string | null;
  baseCommit: string;
  /** The base is a person's, so later runs may reuse the code that its runs compiled. */
  keepsBuilds?: boolean;
  headCommit: string;
  /** Ends running commands. */
  signal: AbortSignal | undefined;
  emit(event: VerifyEvent): void;
}

/** The tree of a run and its role in the verification. */
export interface RunTree {
  tree: string;
  is: Evidence['tree_is'];
}

/** Progress events of a verification. */
export type VerifyEvent =
  | { type: 'run_began'; check: string; on: Evidence['tree_is']; command: string }
  | { type: 'run_ended'; check: string; on: Evidence['tree_is']; evidence: Evidence }
  | { type: 'run_reused'; check: string; on: Evidence['tree_is']; evidence: Evidence };
