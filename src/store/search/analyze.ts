import { stemmer } from 'stemmer';

export interface DocumentTerms {
  /** Terms of the id and name, which identify an entity best. */
  head: string[];
  text: string[];
}

const MAX_TERM = 120;
/** Longer ones are data, not words: splitting them would fill the index with noise. */
const MAX_WORD = 200;
const MAX_DOCUMENT_TERMS = 20_000;
export const MAX_QUERY_TERMS = 24;

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_./:@#+][\p{L}\p{N}\p{M}]+)*/gu;
const JOINERS = /[-_./:@#+]/;
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;
const ASCII_WORD = /^[a-z]{3,}$/;

const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can did do does for from had has have how i if in into is it its no not of on or ' +
    'our s so t than that the their them then there these they this to was we were what when where which who why will with you your'
  ).split(' '),
);

export function analyzeDocument(head: string, text: string): DocumentTerms {
  return { head: terms(head, MAX_DOCUMENT_TERMS), text: terms(text, MAX_DOCUMENT_TERMS) };
}

/** The distinct terms of a query. Stop words count only if there are no other terms. */
export function analyzeQuery(query: string): string[] {
  const all = new Set(terms(query, 4000, true));
  const telling = [...all].filter((term) => !STOP_WORDS.has(term));
  return (telling.length > 0 ? telling : [...all]).slice(0, MAX_QUERY_TERMS);
}

/** `TASK-012`, `FEAT-AUTH`; names of standards match too. */
const ID = /^[A-Z][A-Z0-9]+(?:[-_][A-Z0-9]+)+$/;
const STANDARD = /^(?:AES|ES|HTTP|ISO|MD|RFC|SHA|TLS|UTF)[-_]/;

/** The ids in a query, each as sets of terms: a document with all terms of one set contains the id. */
export function idsInQuery(query: string): string[][][] {
  const words = query.match(WORD) ?? [];
  return [...new Set(words)]
    .filter((word) => ID.test(word) && !STANDARD.test(word))
    .slice(0, MAX_QUERY_TERMS)
    .map((word) => {
      const whole = [cut(fold(word))];
      // TASK-AUTH is a prefix of TASK-AUTH-001; a number is never a prefix of another.
      const isPart = !/[-_][0-9]+$/.test(word);
      return isPart ? [whole, analyzeQuery(word.split(JOINERS).join(' '))] : [whole];
    });
}

/** Most words repeat. */
const seen = new Map<string, readonly string[]>();
const MAX_SEEN = 20_000;

function knownTerms(word: string): readonly string[] {
  const known = seen.get(word);
  if (known) return known;
  if (seen.size >= MAX_SEEN) seen.clear();
  const found = [...wordTerms(word)].filter((term) => term !== '');
  seen.set(word, found);
  return found;
}

function terms(text: string, limit: number, keepStopWords = false): string[] {
  const found: string[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    if (found.length >= limit) break;
    for (const term of knownTerms(word)) {
      if (keepStopWords || !STOP_WORDS.has(term)) found.push(term);
    }
  }
  return found;
}

/** An identifier yields itself and its parts: `parseDOT` yields parsedot, parse and dot. */
function wordTerms(word: string): Iterable<string> {
  if (word.length > MAX_WORD) return [cut(fold(word.slice(0, MAX_WORD)))];
  const found = new Set<string>();
  const parts = word.split(JOINERS);
  if (parts.length > 1) for (const name of wholeNames(word)) found.add(cut(fold(name)));
  for (const part of parts) {
    const humps = part.match(HUMP) ?? [part];
    if (humps.length > 1) found.add(cut(fold(part)));
    for (const hump of humps) {
      for (const term of humpTerms(fold(hump), parts.length + humps.length > 2)) found.add(cut(term));
    }
  }
  return found;
}

/** An identifier as a whole; a path also yields its names, with and without extension. */
function wholeNames(word: string): string[] {
  const names = word.includes('/') ? word.split('/').filter((name) => JOINERS.test(name)) : [];
  return [
    word,
    ...names,
    ...names.map((name) => name.replace(/\.[^.]*$/, '')).filter((name) => JOINERS.test(name)),
  ];
}

function humpTerms(hump: string, isPart: boolean): string[] {
  if (CJK.test(hump)) return pairs(hump);
  // The T of T2 means nothing alone.
  if (isPart && /^[a-z]$/.test(hump)) return [];
  // Stemmed stop words would not be recognized.
  if (STOP_WORDS.has(hump)) return [hump];
  return [ASCII_WORD.test(hump) ? stemmer(hump) : hump];
}

/** Scripts written without spaces are indexed by every two neighbouring characters. */
function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length < 2) return characters;
  return characters.slice(0, -1).map((character, index) => character + characters[index + 1]);
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

function cut(term: string): string {
  if (term.length <= MAX_TERM) return term;
  // Half of a surrogate pair at the end is not a character.
  return term.slice(0, MAX_TERM).replace(/[\ud800-\udbff]$/, '');
}
