import type { SearchDocument, SearchIndex } from './search-index.ts';

export interface RankedDocument {
  key: number;
  score: number;
}

/** For a term in more documents than this, only the newest are read: it is too common to rank them all. */
const TERM_LIMIT = 400;
/** How many documents are scored exactly, by their terms. */
const CANDIDATES = 120;
/** If this few documents match the filters, all are scored, so that rare ones are not missed among frequent ones. */
const FEW = 400;

const SATURATION = 0.5;
const LENGTH_WEIGHT = 0.4;
const HEAD_WEIGHT = 3;

interface TermMatches {
  term: string;
  keys: number[];
  weight: number;
}

/**
 * BM25 in two steps: candidates by the terms they contain, then a score by how often they contain them. The score is
 * the share of the query's weight that a document accounts for, so it lies in 0–1 and means the same for every query
 * and backend.
 */
export async function rankDocuments(
  index: SearchIndex,
  terms: readonly string[],
  limit: number,
): Promise<RankedDocument[]> {
  if (terms.length === 0) return [];
  const found = await findTerms(index, terms);
  const candidates = await findCandidates(index, found, limit);
  const documents = (await index.documents(candidates)).map((document) => ({
    document,
    // In characters, which grow with the number of terms and need no counting.
    length: document.head.length + document.text.length,
  }));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  return documents
    .map(({ document, length }) => ({
      key: document.key,
      score: scoreDocument(document, found, length / Math.max(1, average)),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.key - a.key)
    .slice(0, limit);
}

async function findTerms(index: SearchIndex, terms: readonly string[]): Promise<TermMatches[]> {
  const [lastKey, [newest = [], ...matches]] = await Promise.all([
    index.lastKey(),
    index.matches([[], ...terms.map((term) => [term])], TERM_LIMIT),
  ]);
  const total = estimateCount(newest, lastKey);
  return terms
    .map((term, position) => {
      const keys = matches[position] ?? [];
      const count = Math.min(total, estimateCount(keys, lastKey));
      return { term, keys, weight: Math.log(1 + (total - count + 0.5) / (count + 0.5)) + 0.01 };
    })
    .sort((a, b) => b.weight - a.weight);
}

/** The length of a complete list, or an estimate from the density of a cut one. */
function estimateCount(keys: readonly number[], lastKey: number): number {
  const oldest = keys.at(-1);
  if (keys.length < TERM_LIMIT || oldest === undefined) return keys.length;
  return Math.max(keys.length, Math.round((keys.length * lastKey) / Math.max(1, lastKey - oldest + 1)));
}

async function findCandidates(
  index: SearchIndex,
  found: readonly TermMatches[],
  limit: number,
): Promise<number[]> {
  const most = Math.max(CANDIDATES, limit);
  const { filter } = index;
  if (!filter) return heaviest(await weigh(index, found), most);
  const few = await filter.few(FEW);
  if (few) return few;
  const weights = await weigh(index, found);
  const fitting = await filter.among([...weights.keys()]);
  // Frequent matches are among the newest documents with these terms; otherwise search older ones.
  if (fitting.length >= limit || !found.some(isCut)) return heaviest(pick(weights, fitting), most);
  const matches = await filter.matches(
    found.map(({ term }) => [term]),
    TERM_LIMIT,
  );
  const deeper = found.map((one, position) => ({ ...one, keys: matches[position] ?? [] }));
  return heaviest(await weigh(filter, deeper), most);
}

/** The share of the query's weight that each document accounts for, if it contains each term once. */
async function weigh(
  index: Pick<SearchIndex, 'matches'>,
  found: readonly TermMatches[],
): Promise<Map<number, number>> {
  const weights = new Map<number, number>();
  for (const { keys, weight } of found) {
    for (const key of keys) weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  const held = found.filter(({ keys }) => keys.length > 0);
  if (held.some(isCut) && held.length > 1) {
    const all = held.reduce((sum, { weight }) => sum + weight, 0);
    const [keys = []] = await index.matches([held.map(({ term }) => term)], TERM_LIMIT);
    for (const key of keys) weights.set(key, all);
  }
  return weights;
}

function isCut({ keys }: TermMatches): boolean {
  return keys.length >= TERM_LIMIT;
}

function pick(weights: ReadonlyMap<number, number>, keys: readonly number[]): Map<number, number> {
  return new Map(keys.map((key) => [key, weights.get(key) ?? 0]));
}

function heaviest(weights: ReadonlyMap<number, number>, limit: number): number[] {
  return [...weights]
    .sort(([keyA, a], [keyB, b]) => b - a || keyB - keyA)
    .slice(0, limit)
    .map(([key]) => key);
}

/** `length` is relative to the average. */
function scoreDocument(document: SearchDocument, found: readonly TermMatches[], length: number): number {
  const head = ` ${document.head} `;
  const text = ` ${document.text} `;
  const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
  let score = 0;
  let best = 0;
  for (const { term, weight } of found) {
    const frequency = HEAD_WEIGHT * countTerm(head, term) + countTerm(text, term);
    score += (weight * frequency) / (frequency + norm);
    best += weight;
  }
  return best === 0 ? 0 : score / best;
}

/** Counted in the raw text: tokenizing hundreds of documents would cost more than the rest of a search. */
function countTerm(padded: string, term: string): number {
  const wanted = ` ${term} `;
  let count = 0;
  for (let at = padded.indexOf(wanted); at >= 0; at = padded.indexOf(wanted, at + wanted.length - 1)) count++;
  return count;
}
