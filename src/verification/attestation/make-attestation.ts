import type { KeyObject } from 'node:crypto';
import {
  PAYLOAD_TYPE,
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  type Statement,
  statementSchema,
} from '../../domain/attestation.ts';
import { evidenceSchema } from '../../domain/entities/evidence.ts';
import { turnStateSchema } from '../../domain/entities/turn-state.ts';
import { type Verification, verificationSchema } from '../../domain/entities/verification.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Envelope, sealEnvelope } from '../../platform/signing/dsse.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { VERSION } from '../../version.ts';
import { treeOfCommit } from '../verify.ts';

export interface AttestationRequest {
  repository: Repository;
  ledger: Ledger;
  project: string;
  /** A feature or a task. */
  id: string;
  /** The commit with the verified files. */
  commit: string;
  key: KeyObject | undefined;
  /** Whether a sandbox keeps the key from agents on this machine. */
  sandboxed: boolean;
  by: string;
  now: number;
}

export interface Attestation {
  envelope: Envelope;
  statement: Statement;
  /** Why it is not signed. */
  unsigned: string | undefined;
}

/** How long others should rely on an attestation. */
const VALID_MS = 90 * 24 * 60 * 60 * 1000;

/** Exports the newest passing verification of a feature or task whose tree is that of a commit. */
export async function makeAttestation(request: AttestationRequest): Promise<Attestation> {
  const { repository, ledger, project, id, commit, key, now } = request;
  const tree = await treeOfCommit(repository, commit);
  const verification = newestPassing(ledger, project, id, tree);
  if (!verification) throw notVerified(id, commit);
  const head = ledger.head(project);
  if (!head) throw notVerified(id, commit);
  const statement = statementSchema.parse({
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'git commit', digest: { gitCommit: commit } },
      {
        name: 'git tree',
        digest: { gitTree: (await repository.run(['rev-parse', `${commit}^{tree}`])).trim() },
      },
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      project,
      feature: verification.feature_id,
      task: verification.task_id,
      verification: verification.id,
      tree,
      base: verification.base_commit,
      definition: verification.definition_hash,
      outcome: verification.outcome,
      approved: isApproved(ledger, project, verification),
      gates: verification.gates.map(({ gate, result, required, manual }) => ({
        gate,
        result,
        required,
        manual,
      })),
      evidence: evidenceOf(ledger, project, verification),
      sandbox: verification.sandbox,
      guardkit: VERSION,
      by: request.by,
      at: new Date(now).toISOString(),
      expires: new Date(now + VALID_MS).toISOString(),
      ledger: { id: ledger.id, ...head },
    },
  });
  const unsigned = whyUnsigned(request, verification);
  const envelope = sealEnvelope(
    PAYLOAD_TYPE,
    JSON.stringify(statement),
    unsigned === undefined ? key : undefined,
  );
  return { envelope, statement, unsigned };
}

/** A signature counts only if neither the tests nor an agent could have made it. */
function whyUnsigned({ key, sandboxed }: AttestationRequest, { sandbox }: Verification): string | undefined {
  if (!key) return 'this machine has no key; `guardkit init` creates one';
  if (sandbox === null) return 'the tests ran without a sandbox, so they could have read the key';
  return sandboxed ? undefined : 'this machine has no sandbox, so agents can read the key';
}

function newestPassing(ledger: Ledger, project: string, id: string, tree: string): Verification | undefined {
  const all = ledger
    .entries(project, { kind: 'verification_recorded' })
    .map(({ body }) => verificationSchema.parse(body))
    .filter((one) => one.outcome === 'pass' && one.tree === tree);
  const whole = all.findLast((one) => (one.task_id ?? one.feature_id) === id);
  // A build verifies task by task.
  return whole ?? all.findLast((one) => one.feature_id === id);
}

function evidenceOf(ledger: Ledger, project: string, { gates }: Verification) {
  const ids = new Set(gates.flatMap(({ evidence }) => evidence));
  return ledger
    .entries(project, { kind: 'evidence_recorded' })
    .map(({ body }) => evidenceSchema.parse(body))
    .filter(({ id }) => ids.has(id))
    .map(({ id, check, output_digest }) => ({ id, check, output: output_digest }));
}

function isApproved(ledger: Ledger, project: string, { feature_id, task_id, tree }: Verification): boolean {
  return ledger
    .entries(project, { kind: 'turn_recorded' })
    .map(({ body }) => turnStateSchema.parse(body))
    .some(
      (turn) =>
        turn.feature_id === feature_id &&
        (task_id === null || turn.task_id === task_id) &&
        turn.coach_decision === 'approved' &&
        turn.quality_gate_results?.tree === tree,
    );
}

function notVerified(id: string, commit: string): GuardKitError {
  return new GuardKitError({
    code: 'attest.not-verified',
    kind: 'refused',
    message: `No passing verification of ${id.slice(0, 80)} matches the files of commit ${commit.slice(0, 10)}.`,
    hint: `Run \`guardkit verify ${id.slice(0, 80)}\`, commit the verified files, and attest that commit.`,
  });
}
