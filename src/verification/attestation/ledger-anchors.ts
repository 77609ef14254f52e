import { PAYLOAD_TYPE, type Statement } from '../../domain/attestation.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { envelopeSchema, type PublicKey, signerOf } from '../../platform/signing/dsse.ts';
import type { EpisodeStore } from '../../store/episode-store.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { streamOf } from '../../store/ledger/outbox/deliver-outbox.ts';
import { ATTESTATION_NOTES, readAttestations, readStatement } from './check-attestation.ts';

type AnchorSource =
  | { type: 'attestation'; commit: string }
  | { type: 'postgres' }
  | { type: 'log'; file: string };

/** A position of the ledger's chain that was recorded where an agent of this machine cannot change it. */
export interface LedgerAnchor {
  number: number;
  hash: string;
  /** Null if unknown. */
  at: string | null;
  source: AnchorSource;
}

/** An anchor together with the ledger and project that it is of. */
export interface NamedAnchor extends Omit<LedgerAnchor, 'source'> {
  ledger: string;
  project: string;
}

const MAX_COMMITS = 500;

/** The anchors of a ledger's project in git's notes. Expired attestations still anchor the past. */
export async function attestedAnchors(
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
    for (const { number, hash, at, ...of } of await anchorsOfCommit(repository, commit, keys))
      if (of.ledger === ledger.id && of.project === project)
        anchors.push({ number, hash, at, source: { type: 'attestation', commit } });
  }
  return anchors;
}

/** The anchors of any ledger in a commit's notes that one of these keys signed. */
export async function anchorsOfCommit(
  repository: Repository,
  commit: string,
  keys: readonly PublicKey[],
): Promise<NamedAnchor[]> {
  if (keys.length === 0) return [];
  return (await readAttestations(repository, commit)).flatMap((value) => {
    const statement = signedStatement(value, keys);
    if (!statement) return [];
    const { ledger, at, project } = statement.predicate;
    return [{ ledger: ledger.id, project, number: ledger.number, hash: ledger.hash, at }];
  });
}

function signedStatement(value: unknown, keys: readonly PublicKey[]): Statement | undefined {
  const envelope = envelopeSchema.safeParse(value);
  if (!envelope.success || envelope.data.payloadType !== PAYLOAD_TYPE) return undefined;
  return signerOf(envelope.data, keys) ? readStatement(envelope.data) : undefined;
}

/** The anchors in a team's database; undefined if the store is on this machine. */
export async function storedAnchors(
  store: EpisodeStore,
  ledger: Pick<Ledger, 'id'>,
  project: string,
): Promise<LedgerAnchor[] | undefined> {
  const anchors = await store.anchors?.(streamOf(ledger, project));
  return anchors?.map((anchor) => ({ ...anchor, source: { type: 'postgres' } }));
}

/** One line of a CI log. */
export function anchorLine({ project, ledger, number, hash }: NamedAnchor): string {
  return `ledger anchor: ${project} ${ledger} ${number} ${hash}`;
}

const ANCHOR_LINE = /ledger anchor: (\S{1,100}) ([0-9a-f]{32}) ([0-9]{1,15}) ([0-9a-f]{64})/g;

/** The anchors of a ledger's project in the log of a CI run. */
export function loggedAnchors(
  text: string,
  file: string,
  ledger: Pick<Ledger, 'id'>,
  project: string,
): LedgerAnchor[] {
  return [...text.matchAll(ANCHOR_LINE)].flatMap(([, of, id, number, hash = '']) =>
    of === project && id === ledger.id
      ? [{ number: Number(number), hash, at: null, source: { type: 'log', file } }]
      : [],
  );
}

/** The first anchor that the ledger no longer agrees with. */
export function firstDifference(
  ledger: Ledger,
  project: string,
  anchors: readonly LedgerAnchor[],
): LedgerAnchor | undefined {
  const inOrder = [...anchors].sort((a, b) => a.number - b.number);
  return inOrder.find(({ number, hash }) => ledger.headAt(project, number)?.hash !== hash);
}
