import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import type { GateResult, Verification } from '../domain/entities/verification.ts';
import { combineOutcomes } from '../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../domain/protection/project-paths.ts';
import { GuardKitError } from '../guardkit-error.ts';
import { makeFolder } from '../platform/files/make-folder.ts';
import { snapshotTree, treeWithout } from '../platform/git/git-tree.ts';
import type { Repository } from '../platform/git/repository.ts';
import type { SandboxStatus } from '../platform/sandbox/find-sandbox.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { collectFacts, type SharedRuns } from './collect-facts.ts';
import type { Acceptances } from './definition/acceptances.ts';
import type { Base } from './definition/find-base.ts';
import { type Definition, definitionHash } from './definition/load-definition.ts';
import type { Facts } from './facts.ts';
import { explainGates } from './gates/explain-gates.ts';
import { judgeGates } from './gates/gates.ts';
import { narrowToAffected } from './packages/narrow-to-affected.ts';
import { evidenceOn } from './runs/record-evidence.ts';
import type { RunContext, VerifyEvent } from './runs/run-context.ts';
import { openVerificationWorkspace } from './workspaces/open-verification-workspace.ts';

/** Everything needed to run commands for a feature or a task. */
export interface WorkspaceRequest {
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  repository: Repository;
  base: Base;
  definition: Definition;
  /** Null for a whole feature. */
  taskId: string | null;
  ledger: Ledger;
  sandbox: SandboxStatus;
  signal: AbortSignal | undefined;
  emit(event: VerifyEvent): void;
}

export interface VerifyRequest extends WorkspaceRequest {
  /** The commands to run: the definition's, or those that a person confirmed. */
  verify: VerifyConfig;
  acceptances: Acceptances;
  /** Run the base again even if its result is known. */
  freshBase: boolean;
  /** A person continues although tests fail on the base. */
  redBaseAccepted?: boolean;
  /** Shared by features that are verified together. */
  shared?: SharedRuns;
  /** The commit to judge (default: the working files). */
  candidate?: string;
  /** Records the result and its consequences (default: only the verification). */
  record?: (verification: Verification) => void;
}

export interface Verified {
  verification: Verification;
  facts: Facts;
}

/** Runs all commands defined for a feature or a task on the candidate and records the result. */
export async function verify(request: VerifyRequest): Promise<Verified> {
  const { repository, base, definition, ledger, project, sandbox } = request;
  requireSandbox(definition, sandbox);
  const startedAt = performance.now();
  const { candidate } = request;
  const [headCommit, tree, baseTree] = await Promise.all([
    candidate ?? repository.commit('HEAD').then((head) => head ?? base.commit),
    candidate === undefined
      ? snapshotTree(repository, OUTSIDE_THE_TREE)
      : treeOfCommit(repository, candidate),
    treeOfCommit(repository, base.commit),
  ]);
  // The harness comes from the person's commits: agents' commits in the base do not define it.
  const harnessBases = await Promise.all(
    (base.provenance?.commits ?? [base.rules ?? base.commit]).map(async (commit) => ({
      commit,
      tree: await treeOfCommit(repository, commit),
    })),
  );
  const commands = await narrowToAffected(repository, request.verify, { base: baseTree, candidate: tree });
  const facts = await inWorkspace(request, headCommit, (context) =>
    collectFacts({ ...request, verify: commands, context, tree, baseTree, harnessBases }),
  );
  const judged = withManualEvidence(judgeGates(facts), ledger, project, definition.feature.id, tree);
  const gates = explainGates(judged, facts);
  const verification: Verification = {
    id: `VER-${randomBytes(6).toString('hex')}`,
    feature_id: definition.feature.id,
    task_id: request.taskId,
    tree,
    base_commit: base.commit,
    definition_hash: definitionHash({ ...definition, verify: request.verify }),
    outcome: outcomeOf(gates),
    gates,
    sandbox: sandbox.available ? `${sandbox.kind} ${sandbox.version}` : null,
    duration_ms: Math.round(performance.now() - startedAt),
  };
  // An interrupted run proves nothing about the work.
  if (request.signal?.aborted) return { verification, facts };
  if (request.record) request.record(verification);
  else ledger.append(project, 'verification_recorded', verification);
  return { verification, facts };
}

const treesOfCommits = new WeakMap<Repository, Map<string, Promise<string>>>();

/** The tree of a commit. A build asks for the same base in every turn. */
export function treeOfCommit(repository: Repository, commit: string): Promise<string> {
  const known = treesOfCommits.get(repository) ?? new Map<string, Promise<string>>();
  treesOfCommits.set(repository, known);
  const tree = known.get(commit) ?? treeWithout(repository, commit, OUTSIDE_THE_TREE);
  known.set(commit, tree);
  // A failure may not repeat, so it is not cached.
  tree.catch(() => known.delete(commit));
  return tree;
}

/** Opens a workspace and always returns it. */
export async function inWorkspace<Result>(
  request: WorkspaceRequest,
  headCommit: string,
  use: (context: RunContext) => Promise<Result>,
): Promise<Result> {
  const { repository, base, definition, sandbox } = request;
  const workspace = await openVerificationWorkspace(repository, worktreesRoot(request), base.commit);
  try {
    return await use({
      home: request.home,
      env: request.env,
      project: request.project,
      ledger: request.ledger,
      repository,
      workspace,
      sandbox,
      network: definition.config.sandbox?.network ?? 'loopback',
      variables: definition.verify ?? {},
      featureId: definition.feature.id,
      taskId: request.taskId,
      baseCommit: base.commit,
      keepsBuilds: true,
      headCommit,
      signal: request.signal,
      emit: request.emit,
    });
  } finally {
    workspace.release();
  }
}

/** Only required gates decide. */
export function outcomeOf(gates: readonly GateResult[]) {
  return combineOutcomes(gates.filter(({ required }) => required).map(({ result }) => result));
}

/** The real path of the folder for a project's working trees. */
export function worktreesRoot({
  home,
  project,
  definition,
}: Pick<WorkspaceRequest, 'home' | 'project'> & { definition: Pick<Definition, 'config'> }): string {
  const root = join(definition.config.worktrees?.root ?? join(home, 'worktrees'), project);
  makeFolder(root, 0o700);
  return realpathSync(root);
}

function requireSandbox({ config }: Definition, sandbox: SandboxStatus): void {
  if (sandbox.available || config.sandbox?.required !== true) return;
  throw new GuardKitError({
    code: 'sandbox.required',
    kind: 'outside',
    message: `This project requires a sandbox (sandbox.required), and none is available: ${sandbox.why}.`,
    hint: sandbox.hint,
  });
}

/** A person may vouch where nothing could run, never against a failure. */
function withManualEvidence(
  gates: readonly GateResult[],
  ledger: Ledger,
  project: string,
  featureId: string,
  tree: string,
): GateResult[] {
  const manual = [...evidenceOn(ledger, project, tree)].filter(
    (one) => one.manual && one.feature_id === featureId,
  );
  return gates.map((gate) => {
    const vouched = manual.find(({ check }) => check === gate.gate);
    if (!vouched || gate.result !== 'absent') return gate;
    return {
      ...gate,
      result: 'pass',
      manual: true,
      reason: `manual, by ${vouched.by}: ${vouched.reason} (GuardKit: ${gate.reason})`,
      evidence: [...gate.evidence, vouched.id],
    };
  });
}
