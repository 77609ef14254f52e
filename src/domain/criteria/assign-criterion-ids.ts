import {
  type Criterion,
  canonicalCriterionId,
  criterionWords,
  normalizeCriterionText,
  type WrittenCriterion,
  wordSimilarity,
} from './criterion.ts';

/** An id assigned to a criterion, with the criterion's last text. */
export interface CriterionId {
  id: string;
  text: string;
  /** The criterion was removed. Its id stays reserved; only the identical text gets it again. */
  removed?: true;
}

export type CriterionIds = readonly CriterionId[];

/** How the id of a criterion was found. */
export type FoundBy = 'explicit' | 'text' | 'similarity' | 'new';

export interface AssignedCriterion extends Criterion {
  line: number;
  foundBy: FoundBy;
  /** The previous text of this id, if it changed. */
  previousText?: string;
}

export type CriterionAssignment =
  | { ok: true; criteria: AssignedCriterion[]; ids: CriterionId[] }
  | {
      ok: false;
      line: number;
      code: string;
      why: string;
      hint: string;
      /** The repeated criterion or id, and the line it is on already. */
      repeats?: { what: string; line: number };
    };

/** Texts less similar than this are different criteria. */
const ALIKE = 0.6;
/** A match must beat the next best on either side by this much. */
const MARGIN = 0.2;

const GIVE_IDS = 'start each of these criteria with its own id, such as "AC-001: …"; written ids always win';

/**
 * Assigns an id to each criterion: the written one, else the id of the same text, else of the only similar text, else a
 * new one. Refuses to guess between two, because a verified criterion stays verified.
 */
export function assignCriterionIds(
  criteria: readonly Pick<WrittenCriterion, 'id' | 'text' | 'detail' | 'line'>[],
  known: CriterionIds,
): CriterionAssignment {
  const repeated = findRepeated(criteria);
  if (repeated) return repeated;

  const found = new Map<number, { id: string; by: FoundBy }>();
  const taken = new Set<string>();
  const give = (index: number, id: string, by: FoundBy) => {
    found.set(index, { id, by });
    taken.add(canonicalCriterionId(id));
  };
  criteria.forEach(({ id }, index) => {
    if (id !== undefined) give(index, id, 'explicit');
  });
  const free = (one: CriterionId) => !taken.has(canonicalCriterionId(one.id));
  const byText = idsByText(known);
  criteria.forEach(({ text }, index) => {
    if (found.has(index)) return;
    const same = (byText.get(normalizeCriterionText(text)) ?? []).filter(free);
    const again = same.find(({ removed }) => !removed) ?? same[0];
    if (again) give(index, again.id, 'text');
  });

  const unmatched = criteria.flatMap((criterion, index) =>
    found.has(index) ? [] : [{ ...criterion, index }],
  );
  const missing = known.filter((one) => !one.removed && free(one));
  const alike = matchAlike(unmatched, missing);
  if (!alike.ok) return alike;
  for (const { index, id } of alike.matches) give(index, id, 'similarity');

  const nextId = newIds([...known.map(({ id }) => id), ...criteria.flatMap(({ id }) => id ?? [])]);
  criteria.forEach((_criterion, index) => {
    if (!found.has(index)) give(index, nextId(), 'new');
  });
  return settle(criteria, known, found);
}

function findRepeated(
  criteria: readonly Pick<WrittenCriterion, 'id' | 'text' | 'line'>[],
): Extract<CriterionAssignment, { ok: false }> | undefined {
  const lines = new Map<string, number>();
  for (const { id, text, line } of criteria) {
    const key = id === undefined ? `text ${normalizeCriterionText(text)}` : `id ${canonicalCriterionId(id)}`;
    const before = lines.get(key);
    if (before !== undefined) {
      const what = id === undefined ? 'the same criterion' : `the id ${id}`;
      return {
        ok: false,
        line,
        code: id === undefined ? 'duplicate-criterion' : 'duplicate-id',
        why: `${what} is already on line ${before}`,
        repeats: { what, line: before },
        hint: id === undefined ? 'remove one of them, or give each its own id' : 'use another id',
      };
    }
    lines.set(key, line);
  }
  return undefined;
}

function idsByText(known: CriterionIds): Map<string, CriterionId[]> {
  const byText = new Map<string, CriterionId[]>();
  for (const one of known) {
    const text = normalizeCriterionText(one.text);
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  return byText;
}

type Match = { index: number; id: string };

function matchAlike(
  unmatched: readonly { index: number; text: string; line: number }[],
  missing: readonly CriterionId[],
): { ok: true; matches: Match[] } | Extract<CriterionAssignment, { ok: false }> {
  const words = unmatched.map(({ text }) => criterionWords(text));
  const missingWords = missing.map(({ text }) => criterionWords(text));
  const scores = words.map((one) => missingWords.map((other) => wordSimilarity(one, other)));
  const matches: Match[] = [];
  for (const [row, { index, line, text }] of unmatched.entries()) {
    const [best, second = 0] = [...(scores[row] ?? [])].sort((a, b) => b - a);
    if (best === undefined || best < ALIKE) continue;
    const column = scores[row]?.indexOf(best) ?? 0;
    const rivals = scores.filter((_, other) => other !== row).map((scored) => scored[column] ?? 0);
    const nextBest = Math.max(second, ...rivals);
    const match = missing[column];
    if (match && nextBest <= best - MARGIN) matches.push({ index, id: match.id });
    else return ambiguous(line, text, missing, scores[row] ?? []);
  }
  return { ok: true, matches };
}

function ambiguous(
  line: number,
  text: string,
  missing: readonly CriterionId[],
  scores: readonly number[],
): Extract<CriterionAssignment, { ok: false }> {
  const candidates = missing.filter((_, index) => (scores[index] ?? 0) >= ALIKE).map(({ id }) => id);
  return {
    ok: false,
    line,
    code: 'ambiguous',
    why: `"${text.slice(0, 80)}" could be a new text of ${candidates.slice(0, 5).join(' or ')}`,
    hint: GIVE_IDS,
  };
}

/** `AC-001` and up, skipping every number ever used. */
function newIds(used: readonly string[]): () => string {
  const taken = new Set(used.map(canonicalCriterionId));
  let number = 0;
  return () => {
    do number++;
    while (taken.has(`AC-${number}`));
    return `AC-${String(number).padStart(3, '0')}`;
  };
}

function settle(
  criteria: readonly Pick<WrittenCriterion, 'text' | 'detail' | 'line'>[],
  known: CriterionIds,
  found: ReadonlyMap<number, { id: string; by: FoundBy }>,
): CriterionAssignment {
  const before = new Map(known.map(({ id, text }) => [id, text]));
  const assigned = criteria.map(({ text, detail, line }, index): AssignedCriterion => {
    const { id = '', by = 'new' } = found.get(index) ?? {};
    const previousText = before.get(id);
    const changed =
      previousText !== undefined && normalizeCriterionText(previousText) !== normalizeCriterionText(text);
    return { id, text, detail, line, foundBy: by, ...(changed ? { previousText } : {}) };
  });
  const now = new Map(assigned.map(({ id, text }) => [id, text]));
  return {
    ok: true,
    criteria: assigned,
    ids: [
      ...known.map(({ id, text }): CriterionId => {
        const current = now.get(id);
        return current === undefined ? { id, text, removed: true } : { id, text: current };
      }),
      ...assigned.filter(({ id }) => !before.has(id)).map(({ id, text }) => ({ id, text })),
    ],
  };
}
