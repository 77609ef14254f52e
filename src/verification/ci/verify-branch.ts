import { type ProjectConfig, projectConfigSchema } from '../../config/project/project-config.ts';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import type { BranchWaiver } from '../../config/waiver-files/waiver-file.ts';
import { readYamlText, requireValid } from '../../config/yaml/yaml-file.ts';
import {
  combineOutcomes,
  type GateResult,
  type Outcome,
  type Verification,
} from '../../domain/entities/verification.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { SandboxStatus } from '../../platform/sandbox/find-sandbox.ts';
import type { PublicKey } from '../../platform/signing/dsse.ts';
import { readPublicKeys } from '../../platform/signing/machine-key.ts';
import { knownTaskTypes } from '../../rules/resolve-quality-gates.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { findAttestation } from '../attestation/check-attestation.ts';
import { anchorsOfCommit, type NamedAnchor } from '../attestation/ledger-anchors.ts';
import type { SharedRuns } from '../collect-facts.ts';
import { identifyCriteria, testsNaming, type VerifiedCriterion } from '../criteria.ts';
import { Acceptances } from '../definition/acceptances.ts';
import type { Definition } from '../definition/load-definition.ts';
import type { Facts } from '../facts.ts';
import { type FeatureVerification, openFeatureVerification } from '../open-verification.ts';
import type { VerifyEvent } from '../runs/run-context.ts';
import { outcomeOf, verify } from '../verify.ts';
import { type BranchFacts, judgeBranch } from './branch-gates.ts';
import { forClaim, rulesFor } from './claim-rules.ts';
import type { Branch } from './find-branch.ts';
import { type Claim, findClaims, PROJECT_CLAIM, projectWork } from './find-claims.ts';
import { findBranchChanges, WaivedPaths, Waivers } from './find-rule-changes.ts';
import { findSecrets } from './find-secrets.ts';
import { definitionTexts, workOfCommit } from './work-of-commit.ts';

export interface BranchRequest {
  repository: Repository;
  branch: Branch;
  /** Claims besides those of the branch. */
  asked: readonly string[];
  /** A data folder of this run alone: no earlier record of this machine counts. */
  home: string;
  ledger: Ledger;
  env: NodeJS.ProcessEnv;
  sandbox: SandboxStatus;
  now: number;
  /** Keys to trust besides the base's. */
  trusted: readonly PublicKey[];
  requireAttestation: boolean;
  signal: AbortSignal;
  emit(event: VerifyEvent): void;
  /** Records the job's programs for the runs of this project, before the first one. */
  recordPrograms(project: string): Promise<void>;
}

export interface VerifiedClaim {
  claim: Claim;
  title: string;
  verification: Verification;
  facts: Facts;
  criteria: readonly VerifiedCriterion[];
}

export interface BranchVerification {
  branch: Branch;
  project: string;
  outcome: Outcome;
  /** Of the branch as a whole. */
  gates: readonly GateResult[];
  facts: BranchFacts;
  claims: readonly VerifiedClaim[];
  /** Waivers of the base that this branch uses, with the paths. */
  waived: readonly { waiver: BranchWaiver; paths: readonly string[] }[];
  /** Positions of developers' ledgers in the attestations of the head, for the log. */
  anchors: readonly NamedAnchor[];
  sandbox: SandboxStatus;
}

/** Verifies everything that a branch claims, by the rules of its base. */
export async function verifyBranch(request: BranchRequest): Promise<BranchVerification> {
  const { repository, branch, sandbox, now } = request;
  const base = branch.base.commit;
  const config = await configOf(repository, base);
  const waivers = await Waivers.read(repository, base, now);
  const changes = await findBranchChanges(repository, { ...branch, base }, waivers);
  const project = await open(request, config, { type: 'project', id: PROJECT_CLAIM });
  await request.recordPrograms(project.project);
  const types = knownTaskTypes(project.definition.sources);
  const work = {
    base: workOfCommit(repository, base, types),
    head: workOfCommit(repository, branch.head, types),
    hasChanges: changes.hasWork,
    changed: new Set(changes.all.map(({ path }) => path)),
  };
  const { claims, faulty } = await findClaims(repository, branch, work, request.asked);
  const secrets = await findSecrets(repository, { base, head: branch.head }, changes.all);
  const keys = trustedOnBase(request);
  const attestations = await findAttestations(request, claims, keys);
  const facts: BranchFacts = { faulty, changes, secrets, waivers, attestations };
  const gates = judgeBranch(facts);
  const shared: SharedRuns = new Map();
  const verified: VerifiedClaim[] = [];
  for (const claim of claims) {
    const opened = claim.type === 'project' ? project : await open(request, config, claim);
    verified.push(await verifyClaim(request, claim, opened, waivers, shared));
    if (request.signal.aborted) throw cutOff();
  }
  return {
    branch,
    project: project.project,
    outcome: combineOutcomes([outcomeOf(gates), ...verified.map(({ verification }) => verification.outcome)]),
    gates,
    facts,
    claims: verified,
    waived: usedWaivers(facts, verified),
    anchors: await anchorsOfCommit(repository, branch.head, keys),
    sandbox,
  };
}

const KEYS = /^\.guardkit\/keys\/[^/]+\.pem$/;

function trustedOnBase({ repository, branch, trusted }: BranchRequest): PublicKey[] {
  const files = definitionTexts(repository, branch.base.commit, (path) => KEYS.test(path));
  return [...trusted, ...[...files].flatMap(([path, text]) => readPublicKeys(text, path))];
}

async function findAttestations(
  { repository, branch, requireAttestation, now }: BranchRequest,
  claims: readonly Claim[],
  keys: readonly PublicKey[],
): Promise<BranchFacts['attestations']> {
  if (!requireAttestation) return undefined;
  if (keys.length === 0) throw noKeys();
  const checks = claims
    .filter(({ type }) => type !== 'project')
    .map(async ({ id }) => ({
      id,
      checked: await findAttestation({ repository, commit: branch.head, id, keys, now }),
    }));
  return Promise.all(checks);
}

function noKeys(): GuardKitError {
  return new GuardKitError({
    code: 'ci.no-trusted-keys',
    kind: 'input',
    message: 'An attestation is required, but no key is trusted.',
    hint: 'Commit public keys to .guardkit/keys/NAME.pem on the target branch, or give a file with --trust.',
  });
}

async function configOf(repository: Repository, base: string): Promise<ProjectConfig> {
  const path = '.guardkit/config.yaml';
  const text = definitionTexts(repository, base, (one) => one === path).get(path);
  if (text === undefined) throw noConfig(base);
  return requireValid(await readYamlText(path, text, projectConfigSchema));
}

function open(
  { repository, branch, ledger, home }: BranchRequest,
  config: ProjectConfig,
  claim: Claim,
): Promise<FeatureVerification> {
  const work = claim.type === 'project' ? projectWork() : claim.type === 'added' ? claim.work : undefined;
  return openFeatureVerification({
    project: config.project ?? 'project',
    ledger,
    repository,
    // Does not exist: rules come from the base alone.
    store: { path: `${home}/guardkit.db` },
    id: claim.id,
    base: branch.base,
    commandsFor: ({ verify: commands }) => requireCommands(commands, branch.base.commit),
    acceptances: new Acceptances([]),
    work,
  });
}

async function verifyClaim(
  { home, env, sandbox, branch, signal, emit }: BranchRequest,
  claim: Claim,
  opened: FeatureVerification,
  waivers: Waivers,
  shared: SharedRuns,
): Promise<VerifiedClaim> {
  const { ledger, project } = opened;
  const { worktrees: _elsewhere, ...config } = opened.definition.config;
  const definition: Definition = {
    ...opened.definition,
    config,
    rules: rulesFor(claim, opened, waivers),
  };
  const { verification, facts } = await verify({
    ...opened,
    definition,
    acceptances: new WaivedPaths(waivers),
    home,
    env,
    sandbox,
    freshBase: false,
    candidate: branch.head,
    shared,
    signal,
    emit,
  });
  const results = facts.candidate?.results ?? [];
  const criteria =
    claim.type === 'project'
      ? []
      : definition.tasks.flatMap((task) =>
          identifyCriteria(ledger, project, task).map(({ id, text }) => ({
            task: task.id,
            id,
            text,
            tests: testsNaming(id, results),
          })),
        );
  const [task] = definition.tasks;
  const title = opened.taskId !== null && task ? task.title : definition.feature.name;
  return { claim, title, verification: forClaim(claim, verification), facts, criteria };
}

function usedWaivers(
  { changes, secrets, waivers }: BranchFacts,
  claims: readonly VerifiedClaim[],
): BranchVerification['waived'] {
  const paths = [
    ...changes.rules.map(({ path }) => path),
    ...secrets.found.map(({ path }) => path),
    ...claims.flatMap(({ facts }) => [
      ...facts.harness.map(({ path }) => path),
      ...facts.losses.map(({ file }) => file),
      ...(facts.baseTests?.ran ? facts.baseTests.changed.flatMap((test) => test.changedFiles) : []),
    ]),
  ];
  const used = new Map<BranchWaiver, Set<string>>();
  for (const path of paths) {
    const waiver = waivers.covering(path);
    if (waiver) used.set(waiver, (used.get(waiver) ?? new Set()).add(path));
  }
  return [...used].map(([waiver, own]) => ({ waiver, paths: [...own] }));
}

function requireCommands(commands: VerifyConfig | undefined, base: string): VerifyConfig {
  const { tests, checks = [], health } = commands ?? {};
  if (commands && (tests || checks.length > 0 || health !== undefined)) return commands;
  throw new GuardKitError({
    code: 'ci.no-commands',
    kind: 'input',
    message: `.guardkit/config.yaml on the base ${base.slice(0, 10)} has neither a test command nor a check.`,
    hint: 'Merge a configuration with `verify:` into the target branch first; `guardkit init` proposes one.',
  });
}

function noConfig(base: string): GuardKitError {
  return new GuardKitError({
    code: 'ci.no-config',
    kind: 'input',
    message: `The base ${base.slice(0, 10)} has no .guardkit/config.yaml, so no rules apply there.`,
    hint: 'Merge GuardKit’s configuration into the target branch first (`guardkit init`), then update this branch.',
  });
}

function cutOff(): GuardKitError {
  return new GuardKitError({
    code: 'ci.cut-off',
    kind: 'refused',
    message: 'Verification was cancelled; nothing was judged.',
    hint: 'Run `guardkit ci` again.',
  });
}
