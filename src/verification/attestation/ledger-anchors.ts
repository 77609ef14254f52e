import { PAYLOAD_TYPE, type Statement } from '../../domain/attestation.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { envelopeSchema, type PublicKey, signerOf } from '../../platform/signing/dsse.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { ATTESTATION_NOTES, readAttestations, readStatement } from './check-attestation.ts';

/** A position of the ledger's chain that a signed attestation recorded. */
export interface LedgerAnchor {
  number: number;
  hash: string;
  at: string;
  commit: string;
}

const MAX_COMMITS = 500;

/** The anchors of a ledger's project in git's notes, oldest first. Expired attestations still anchor the past. */
export async function findAnchors(
  repository: Repository,
  ledger: Pick<Ledger, 'id'>,
  project: string,
  keys: readonly PublicKey[],
): Promise<LedgerAnchor[]> {
  const listed = await repository.attempt(['notes', `--ref=${ATTESTATION_NOTES}`, 'list']);
  const lines = listed.exitCode === 0 ? listed.stdout.split('\n') : [];
  const commits = lines.flatMap((line) => line.split(' ')[1] ?? []).slice(0, MAX_COMMITS);
  const anchors: LedgerAnchor[] = [];
  for (const commit of commits) {
    for (const value of await readAttestations(repository, commit)) {
      const statement = signedStatement(value, keys);
      const { ledger: anchor, at, project: of } = statement?.predicate ?? {};
      if (anchor?.id === ledger.id && of === project && at !== undefined)
        anchors.push({ number: anchor.number, hash: anchor.hash, at, commit });
    }
  }
  return anchors.sort((a, b) => a.number - b.number);
}

function signedStatement(value: unknown, keys: readonly PublicKey[]): Statement | undefined {
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success || envelope.data.payloadType !== PAYLOAD_TYPE) return undefined;
  return signerOf(envelope.data, keys) ? readStatement(envelope.data) : undefined;
}

/** The first anchor that the ledger no longer agrees with. */
export function firstDifference(
  ledger: Ledger,
  project: string,
  anchors: readonly LedgerAnchor[],
): LedgerAnchor | undefined {
  return anchors.find(({ number, hash }) => {
    const [entry] = ledger.entries(project, { afterNumber: number - 1, limit: 1 });
    return entry?.number !== number || entry.hash !== hash;
  });
}
