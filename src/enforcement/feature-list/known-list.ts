import { realpathSync } from 'node:fs';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ListBlocks } from '../../domain/feature-list/list-blocks.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { isListOf, isObject, isShape, isText, isWhole } from '../../domain/json/plain-shape.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';

/** A checkout's feature list, with its project and ledger. */
export interface FeatureListContext {
  ledger: Ledger;
  project: string;
  /** Real path of the working tree. */
  checkout: string;
  /** Real path of the data folder. */
  dataFolder: string;
}

const isBody = isShape({ number: isWhole, hash: isText, absent: isListOf(isText), extra: isObject });

/** State of a checkout's list after the last reconciliation. */
export interface KnownList {
  /** Empty if the list changed too recently to rely on it. */
  stamp: string;
  /** The last ledger entry that the list reflects. */
  number: number;
  /** Hash of the text; empty if it was read in blocks. */
  hash: string;
  /** Ids of features that it omits, since their files are not in this checkout. */
  absent: readonly string[];
  /** Other top-level members. */
  extra: JsonObject;
}

export function findKnownList({ ledger, project, checkout }: FeatureListContext): KnownList | undefined {
  const reading = findLastCached(ledger, key(project, checkout));
  if (!isBody(reading?.body)) return undefined;
  const { number, hash, absent, extra } = reading.body;
  // It was read from JSON.
  return { stamp: reading.stamp, number, hash, absent, extra: extra as JsonObject };
}

export function keepKnownList({ ledger, project, checkout }: FeatureListContext, known: KnownList): void {
  const { stamp, ...body } = known;
  cacheRead(ledger, key(project, checkout), stamp, body);
}

/** The blocks of the last list; undefined if its layout is not GuardKit's own. */
export function findListBlocks({ ledger, project, checkout }: FeatureListContext): ListBlocks | undefined {
  const reading = findLastCached(ledger, blocksKey(project, checkout));
  // Only this module writes them. Blocks that were tampered with fit no text, which is then read as a whole.
  return reading?.body ? (reading.body as ListBlocks) : undefined;
}

export function keepListBlocks(
  { ledger, project, checkout }: FeatureListContext,
  blocks: ListBlocks | null,
): void {
  cacheRead(ledger, blocksKey(project, checkout), '', blocks);
}

function blocksKey(project: string, checkout: string): string {
  return `blocks of ${key(project, checkout)}`;
}

function key(project: string, checkout: string): string {
  return `features of ${project} in ${checkout}`;
}

/** The features that the list of a checkout shows. */
export function shownFeatures(context: FeatureListContext): readonly Feature[] {
  const absent = new Set(findKnownList(context)?.absent);
  const features = readFeatures(context.ledger, context.project);
  return absent.size === 0 ? features : features.filter(({ id }) => !absent.has(id));
}

/** Uses the folders' real paths: records are keyed by them. */
export function listContext(
  ledger: Ledger,
  project: string,
  checkout: string,
  dataFolder: string,
): FeatureListContext {
  return {
    ledger,
    project,
    checkout: realpathSync.native(checkout),
    dataFolder: realpathSync.native(dataFolder),
  };
}
