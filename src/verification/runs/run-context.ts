import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { Evidence } from '../../domain/entities/evidence.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import type { VerificationWorkspace } from '../workspaces/verification-workspace.ts';

/** What every run of one verification shares. */
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
  /** Variables that the base's configuration names. */
  variables: Pick<VerifyConfig, 'env' | 'pass_env'>;
  featureId: string;
  /** Null for a whole feature. */
  taskId: string | null;
  baseCommit: string;
  /** A person vouches for the base, so later runs may use what its runs compiled. */
  keepsBuilds?: boolean;
  headCommit: string;
  /** Ends what runs. */
  signal: AbortSignal | undefined;
  emit(event: VerifyEvent): void;
}

/** The tree that a run is on, and what it is to the verification. */
export interface RunTree {
  tree: string;
  is: Evidence['tree_is'];
}

/** What happens while a verification goes on, for whoever shows it. */
export type VerifyEvent =
  | { type: 'run_began'; check: string; on: Evidence['tree_is']; command: string }
  | { type: 'run_ended'; check: string; on: Evidence['tree_is']; evidence: Evidence }
  | { type: 'run_reused'; check: string; on: Evidence['tree_is']; evidence: Evidence };
