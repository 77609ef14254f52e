import * as z from 'zod';

export const MAX_CRITERION_TEXT = 2000;
export const MAX_CRITERIA = 200;

/** An acceptance criterion as a person wrote it. */
export const writtenCriterionSchema = z.strictObject({
  /** Set only if written in the text; otherwise assigned. */
  id: z.string().min(1).max(40).optional(),
  text: z.string().min(1).max(MAX_CRITERION_TEXT),
  /** Nested bullets and further lines that explain the criterion. */
  detail: z.string().default(''),
  line: z.int().min(1),
});

export type WrittenCriterion = z.infer<typeof writtenCriterionSchema>;

/** An acceptance criterion, identified by its id however its text changes. */
export interface Criterion {
  id: string;
  text: string;
  detail: string;
}

/** `AC-001`, `AC1`, `AC-2.1`; any case. */
const OWN_ID = /^[Aa][Cc][-_]?\d{1,6}(?:\.\d{1,4})?(?![A-Za-z0-9])/;
/** Other prefixes need the colon: `SHA-256 is used` has no id. */
const OTHER_ID = /^[A-Z][A-Z0-9]{0,19}-\d{1,9}(?=\W)/;
/** A colon, a full stop, a dash between spaces, or just a space. */
const AFTER_OWN_ID = /^(?:[ \t]{0,3}:|[.)](?=\s|\*|_|$)|[ \t]{1,3}[-–—](?=[ \t]|$)|(?=[ \t]|$))/;
const AFTER_OTHER_ID = /^[ \t]{0,3}:/;
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['**', '**'],
  ['__', '__'],
  ['`', '`'],
  ['[', ']'],
];

/** Splits the id off the start of a criterion: `AC-001: …`, `**AC-001**: …`, `AC1 - …`. */
export function splitCriterionId(written: string): { id?: string; text: string } {
  const [open, close] = MARKS.find(([mark]) => written.startsWith(mark)) ?? ['', ''];
  const marked = written.slice(open.length);
  const own = OWN_ID.exec(marked)?.[0];
  const id = own ?? OTHER_ID.exec(marked)?.[0];
  if (id === undefined) return { text: written };
  const rest = marked.slice(id.length);
  const closed = rest.startsWith(close);
  const after = closed ? rest.slice(close.length) : rest;
  const separator = (own === undefined ? AFTER_OTHER_ID : AFTER_OWN_ID).exec(after)?.[0];
  if (separator === undefined) return { text: written };
  const text = after.slice(separator.length);
  if (!closed && !text.startsWith(close)) return { text: written };
  return { id: id.toUpperCase(), text: (closed ? text : text.slice(close.length)).trim() };
}

/** Drops what does not change the meaning: case, emphasis, extra spaces, final punctuation. */
export function normalizeCriterionText(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*`]/g, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ');
  let end = plain.length;
  while (end > 0 && ' .;,:!'.includes(plain.charAt(end - 1))) end--;
  return plain.slice(0, end).trimStart();
}

/** `AC1`, `AC-1` and `AC-001` are the same id: two of them in one task would be confused. */
export function canonicalCriterionId(id: string): string {
  const own = /^AC[-_]?0*(\d+(?:\.\d+)?)$/.exec(id.toUpperCase());
  return own ? `AC-${own[1]}` : id.toUpperCase();
}

/** More words than a criterion needs; the rest hardly changes the similarity. */
const MAX_WORDS = 200;

/** Letters and digits form words; scripts without word breaks count per character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

export function criterionWords(text: string): ReadonlySet<string> {
  const words = normalizeCriterionText(text).match(WORD) ?? [];
  return new Set(words.slice(0, MAX_WORDS));
}

/** The share of common words, from 0 to 1 (Dice coefficient). */
export function wordSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return (2 * shared) / (one.size + other.size);
}
