import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import { combineOutcomes } from '../domain/entities/outcome.ts';
import type { GateResult, Verification } from '../domain/entities/verification.ts';
import { OUTSIDE_THE_TREE } from '../domain/protection/outside-the-tree.ts';
import { GuardKitError } from '../guardkit-error.ts';
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

/** What is needed to run something for a feature or a task. */
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
  /** What is run: the definition's own, or what a person confirmed. */
  verify: VerifyConfig;
  acceptances: Acceptances;
  /** Run the base again, though a result for it is known. */
  freshBase: boolean;
  /** A person goes on though tests fail on the base. */
  redBaseAccepted?: boolean;
  /** Of several features that are verified together. */
  shared?: SharedRuns;
  /** The commit to judge; the working files as they are, unless said. */
  candidate?: string;
  /** Puts what was found on record, with whatever follows from it; alone, unless said. */
  record?: (verification: Verification) => void;
}

export interface Verified {
  verification: Verification;
  facts: Facts;
}

/** Runs everything that is defined for a feature or a task on the candidate, and records it. */
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
  // Commits of agents in the base do not define what the commands run through; the person's commits below them do.
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
  // What a signal cut off says nothing of the work.
  if (request.signal?.aborted) return { verification, facts };
  if (request.record) request.record(verification);
  else ledger.append(project, 'verification_recorded', verification);
  return { verification, facts };
}

const treesOfCommits = new WeakMap<Repository, Map<string, Promise<string>>>();

/** What of a commit counts as its tree. A build asks for the same base in every turn. */
export function treeOfCommit(repository: Repository, commit: string): Promise<string> {
  const known = treesOfCommits.get(repository) ?? new Map<string, Promise<string>>();
  treesOfCommits.set(repository, known);
  const tree = known.get(commit) ?? treeWithout(repository, commit, OUTSIDE_THE_TREE);
  known.set(commit, tree);
  // What could not be done once may be done the next time.
  tree.catch(() => known.delete(commit));
  return tree;
}

/** Opens a workspace and gives it back, whatever happens in it. */
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

/** Only what is required decides. */
export function outcomeOf(gates: readonly GateResult[]) {
  return combineOutcomes(gates.filter(({ required }) => required).map(({ result }) => result));
}

/** Where working trees of a project lie, its real path. */
export function worktreesRoot({
  home,
  project,
  definition,
}: Pick<WorkspaceRequest, 'home' | 'project'> & { definition: Pick<Definition, 'config'> }): string {
  const root = join(definition.config.worktrees?.root ?? join(home, 'worktrees'), project);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return realpathSync(root);
}

function requireSandbox({ config }: Definition, sandbox: SandboxStatus): void {
  if (sandbox.available || config.sandbox?.required !== true) return;
  throw new GuardKitError({
    code: 'sandbox.required',
    kind: 'outside',
    message: `This project runs nothing outside of a sandbox (sandbox.required), and there is none: ${sandbox.why}.`,
    hint: sandbox.hint,
  });
}

/** Where nothing could be run, a person may vouch; against a failure nobody can. */
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
      reason: `manual, by ${vouched.by}: ${vouched.reason} (GuardKit itself: ${gate.reason})`,
      evidence: [...gate.evidence, vouched.id],
    };
  });
}
