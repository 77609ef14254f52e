import { createPrivateKey, type KeyObject } from 'node:crypto';
import { PAYLOAD_TYPE } from '../../domain/attestation.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Envelope, envelopeSchema, sealEnvelope } from '../../platform/signing/dsse.ts';
import { readStatement } from './check-attestation.ts';

/** The variable with the private key of a CI system, as PEM. */
export const SIGNING_KEY = 'GUARDKIT_SIGNING_KEY';

export function signingKeyOf(env: NodeJS.ProcessEnv): KeyObject {
  try {
    const key = createPrivateKey(env[SIGNING_KEY] ?? '');
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without its content.
  }
  throw new GuardKitError({
    code: 'attest.no-signing-key',
    kind: 'input',
    message: env[SIGNING_KEY]
      ? `${SIGNING_KEY} is not a private ed25519 key in PEM form.`
      : `${SIGNING_KEY} is not set.`,
    hint: 'Create one with `openssl genpkey -algorithm ed25519` and store it as a secret of the job that signs.',
  });
}

export interface ResultToSign {
  repository: Repository;
  /** The commit that it has to be about. */
  commit: string;
  key: KeyObject;
  now: number;
}

/**
 * Signs a result that another job of the same pipeline wrote. That job ran the branch's code, so only a result whose runs a
 * sandbox kept from the job counts.
 */
export async function signResult(value: unknown, result: ResultToSign): Promise<Envelope> {
  const { repository, commit, key, now } = result;
  const envelope = envelopeSchema.safeParse(value);
  const statement =
    envelope.success && envelope.data.payloadType === PAYLOAD_TYPE ? readStatement(envelope.data) : undefined;
  if (!envelope.success || !statement) throw refused('unreadable', 'it is not a result of `guardkit ci`');
  const [{ digest }, { digest: treeDigest }] = statement.subject;
  const tree = (await repository.run(['rev-parse', '--verify', `${commit}^{tree}`])).trim();
  if (digest.gitCommit !== commit || treeDigest.gitTree !== tree)
    throw refused('other-commit', `it is about ${digest.gitCommit.slice(0, 10)}, not ${commit.slice(0, 10)}`);
  if (statement.predicate.sandbox === null)
    throw refused('no-sandbox', 'the tests ran without a sandbox, so they could have written it');
  if (statement.predicate.approved) throw refused('approved', 'CI decides tested, never approved');
  if (Date.parse(statement.predicate.expires) <= now) throw refused('expired', 'it has expired');
  return sealEnvelope(PAYLOAD_TYPE, Buffer.from(envelope.data.payload, 'base64').toString('utf8'), key);
}

function refused(code: string, why: string): GuardKitError {
  return new GuardKitError({
    code: `attest.${code}`,
    kind: 'refused',
    message: `This result is not signed: ${why}.`,
    hint: 'Sign the attestations.jsonl that `guardkit ci --reports FOLDER` wrote for this commit in the same pipeline.',
  });
}
