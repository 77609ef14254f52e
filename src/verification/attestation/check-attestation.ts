import { PAYLOAD_TYPE, type Statement, statementSchema } from '../../domain/attestation.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Envelope, envelopeSchema, type PublicKey, signerOf } from '../../platform/signing/dsse.ts';

export const ATTESTATION_NOTES = 'refs/notes/guardkit';

export type AttestationFault =
  | 'unreadable'
  | 'unsigned'
  | 'untrusted-key'
  | 'other-commit'
  | 'other-tree'
  | 'other-work'
  | 'expired';

export type CheckedAttestation =
  | { ok: true; statement: Statement; signer: string }
  | { ok: false; code: AttestationFault; why: string };

export interface AttestationCheck {
  repository: Repository;
  /** The commit that it has to be about. */
  commit: string;
  /** The feature or task that it has to be about (default: any). */
  id?: string | undefined;
  keys: readonly PublicKey[];
  now: number;
}

/** Checks one attestation: the signature first, since everything else in it is only worth as much. */
export async function checkAttestation(value: unknown, check: AttestationCheck): Promise<CheckedAttestation> {
  const { repository, commit, id, keys, now } = check;
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success || envelope.data.payloadType !== PAYLOAD_TYPE)
    return fault('unreadable', 'it is not an in-toto statement in a DSSE envelope');
  if (envelope.data.signatures.length === 0) return fault('unsigned', 'it has no signature');
  const signer = signerOf(envelope.data, keys);
  if (!signer) return fault('untrusted-key', 'no trusted key signed it');
  const statement = readStatement(envelope.data);
  if (!statement) return fault('unreadable', 'its statement is not GuardKit’s');
  const [{ digest }, { digest: treeDigest }] = statement.subject;
  if (digest.gitCommit !== commit)
    return fault('other-commit', `it is about commit ${digest.gitCommit.slice(0, 10)}`);
  const tree = (
    await repository.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  ).trim();
  if (treeDigest.gitTree !== tree) return fault('other-tree', 'it is about another tree');
  const { feature, task, expires } = statement.predicate;
  if (id !== undefined && id !== task && id !== feature)
    return fault('other-work', `it is about ${task ?? feature}`);
  if (Date.parse(expires) <= now) return fault('expired', `it expired at ${expires}`);
  return { ok: true, statement, signer: signer.id };
}

export function readStatement({ payload }: Envelope): Statement | undefined {
  try {
    return statementSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function fault(code: AttestationFault, why: string): CheckedAttestation {
  return { ok: false, code, why };
}

const MAX_NOTES = 200;

/** The attestations of a commit in git's notes, one in each line; a line that is not JSON is undefined. */
export async function readAttestations(repository: Repository, commit: string): Promise<unknown[]> {
  const shown = await repository.attempt(['notes', `--ref=${ATTESTATION_NOTES}`, 'show', commit]);
  if (shown.exitCode !== 0 || shown.truncated) return [];
  return shown.stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_NOTES)
    .map((line) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        return undefined;
      }
    });
}

/** Adds an attestation to a commit's notes, which travel with the repository when they are pushed. */
export async function addAttestation(
  repository: Repository,
  commit: string,
  envelope: Envelope,
  by: string,
): Promise<void> {
  const text = JSON.stringify(envelope);
  const env = {
    GIT_AUTHOR_NAME: by,
    GIT_AUTHOR_EMAIL: 'guardkit@localhost',
    GIT_COMMITTER_NAME: by,
    GIT_COMMITTER_EMAIL: 'guardkit@localhost',
  };
  await repository.run(['notes', `--ref=${ATTESTATION_NOTES}`, 'append', '--file=-', commit], {
    input: `${text}\n`,
    env,
  });
}

/** The best of a commit's attestations for some work: a valid one, else the reason of the last. */
export async function findAttestation(check: AttestationCheck): Promise<CheckedAttestation> {
  const found = await readAttestations(check.repository, check.commit);
  let last: CheckedAttestation = fault('unreadable', `${check.commit.slice(0, 10)} has no attestation`);
  for (const value of found) {
    last = await checkAttestation(value, check);
    if (last.ok) return last;
  }
  return last;
}
