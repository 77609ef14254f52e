import { hash as digest } from 'node:crypto';
import type { Feature } from '../../domain/entities/feature.ts';
import {
  type FeatureList,
  type ListFault,
  MAX_LIST_BYTES,
  readFeatureList,
  readListedFeatures,
} from '../../domain/feature-list/feature-list.ts';
import {
  findChangedBlocks,
  type ListBlocks,
  parseChangedBlocks,
  replaceBlocks,
} from '../../domain/feature-list/list-blocks.ts';
import { listSinceBase } from '../../domain/feature-list/list-changes.ts';
import {
  featuresAt,
  featuresNumber,
  readFeature,
  readFeatures,
} from '../../store/ledger/tables/feature-table.ts';
import { type FeatureListContext, findListBlocks, type KnownList } from './known-list.ts';

/** The part of a list that changed and must be judged. */
export interface ListChange {
  kind: 'changed';
  before: Feature[];
  after: FeatureList;
  /** All ids in use. */
  taken: ReadonlySet<string>;
  /** Hash of the whole text; empty if it was read in blocks. */
  hash: string;
  blocks: ListBlocks | null;
}

export type ReadListChange =
  | { kind: 'same'; hash: string }
  | { kind: 'unreadable'; why: string }
  | ListChange;

/** Compares the list with its last known state. Reads all of it only if necessary. */
export function readListChange(
  context: FeatureListContext,
  known: KnownList | undefined,
  bytes: Buffer,
  byAgent: boolean,
): ReadListChange {
  const part = known && readPart(context, known, bytes);
  if (part) return part;
  const hash = digest('sha256', bytes);
  if (known && known.hash === hash) return { kind: 'same', hash };
  const reading = bytes.length > MAX_LIST_BYTES ? TOO_LARGE : readFeatureList(bytes.toString('utf8'));
  if (!reading.ok) return { kind: 'unreadable', why: reading.why };
  const current = readFeatures(context.ledger, context.project);
  const taken = new Set(current.map(({ id }) => id));
  const { before, after } = known
    ? sinceKnown(context, known, reading.list, current)
    : { before: byAgent ? listedOf(reading.list, current) : [], after: reading.list };
  return { kind: 'changed', before, after, taken, hash, blocks: null };
}

const TOO_LARGE = { ok: false, why: 'it is larger than 4 MB' } as const;

/** Reads only the changed blocks. */
function readPart(context: FeatureListContext, known: KnownList, bytes: Buffer): ReadListChange | undefined {
  const { ledger, project } = context;
  const blocks = bytes.length > MAX_LIST_BYTES ? undefined : findListBlocks(context);
  if (blocks && matching.get(blocks)?.equals(bytes)) return { kind: 'same', hash: '' };
  const changed = blocks && findChangedBlocks(bytes, blocks);
  if (!blocks || !changed) return undefined;
  if (changed.first === changed.end && changed.from === changed.to) {
    if (bytes.length <= LONGEST_MATCHING) matching.set(blocks, bytes);
    return { kind: 'same', hash: '' };
  }
  // Changes made elsewhere must be told apart.
  if (known.number !== featuresNumber(ledger, project)) return undefined;
  const items = parseChangedBlocks(bytes, blocks, changed);
  const faults: ListFault[] = [];
  const features = items && readListedFeatures(items, faults);
  // Only the whole list gives the position of a fault.
  if (!features || faults.length > 0) return undefined;
  const inside = blocks.blocks.slice(changed.first, changed.end).flatMap(({ ids }) => ids);
  const outside = blocks.blocks.flatMap(({ ids }, index) =>
    index < changed.first || index >= changed.end ? ids : [],
  );
  const elsewhere = new Set(outside.map((id) => id.toLowerCase()));
  const ids = features.map(({ id }) => id);
  if (ids.some((id) => elsewhere.has(id.toLowerCase()))) return undefined;
  return {
    kind: 'changed',
    before: inside.flatMap((id) => readFeature(ledger, project, id) ?? []),
    after: { features, extra: known.extra, faults: [] },
    taken: new Set([...inside, ...outside, ...known.absent]),
    hash: '',
    blocks: replaceBlocks(blocks, changed, bytes, ids),
  };
}

/**
 * Texts by the blocks that they match. An event reads the list several times, and hashing takes ten times as long as
 * comparing. Blocks are the same object as long as their record is the same.
 */
const matching = new WeakMap<ListBlocks, Buffer>();
const LONGEST_MATCHING = 1024 * 1024;

function sinceKnown(
  { ledger, project }: FeatureListContext,
  known: KnownList,
  list: FeatureList,
  current: readonly Feature[],
): { before: Feature[]; after: FeatureList } {
  const hidden = new Set(known.absent);
  const shown = current.filter(({ id }) => !hidden.has(id));
  if (known.number === featuresNumber(ledger, project)) return { before: shown, after: list };
  const base = featuresAt(ledger, project, known.number).filter(({ id }) => !hidden.has(id));
  return listSinceBase(base, list, shown);
}

/** The known features that an agent's new list contains. */
function listedOf(list: FeatureList, current: readonly Feature[]): Feature[] {
  const listed = new Set(list.features.map(({ id }) => id));
  return current.filter(({ id }) => listed.has(id));
}
