import { foldLetters } from './fold-letters.ts';
import { DE } from './words/de.ts';
import { EN } from './words/en.ts';
import { ES } from './words/es.ts';
import { FR } from './words/fr.ts';
import { IT } from './words/it.ts';
import { JA } from './words/ja.ts';
import { NL } from './words/nl.ts';
import { PL } from './words/pl.ts';
import { PT } from './words/pt.ts';
import { RU } from './words/ru.ts';
import { ZH } from './words/zh.ts';

const WORDS = { en: EN, de: DE, fr: FR, es: ES, pt: PT, it: IT, nl: NL, pl: PL, ru: RU, ja: JA, zh: ZH };

export type PromptLanguage = keyof typeof WORDS;

/** What the words of a language mean, as far as a correction can hang on it: `undo`, `still`, `asked`. */
export interface Meanings {
  words: Map<string, string>;
  /** Beginnings of words. */
  stems: Map<string, string>;
  /** Several words, by their first one; the longest first. */
  phrases: Map<string, { words: string[]; meaning: string }[]>;
  /** Pieces of text that is written without spaces, and the length of the longest. */
  pieces: Map<string, string>;
  longest: number;
}

/** Written without spaces between words. */
export const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff]/;

const read = new Map<PromptLanguage, Meanings>();

export function meaningsIn(language: PromptLanguage): Meanings {
  let meanings = read.get(language);
  if (!meanings) {
    meanings = readMeanings(WORDS[language]);
    read.set(language, meanings);
  }
  return meanings;
}

/** A meaning of words, or of a beginning of them. */
export function meaningOf({ words, stems }: Meanings, word: string): string | undefined {
  const whole = words.get(word);
  if (whole !== undefined) return whole;
  for (let length = Math.min(word.length, MAX_STEM); length >= MIN_STEM; length -= 1) {
    const meaning = stems.get(word.slice(0, length));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

const MIN_STEM = 3;
const MAX_STEM = 16;

/**
 * A line for a meaning, `meaning: word word`, which goes on where the next begins with spaces. `stem*` stands for all words
 * that begin so, `two_words` for a phrase. Of two meanings of a word the first counts.
 */
function readMeanings(written: string): Meanings {
  const meanings: Meanings = {
    words: new Map(),
    stems: new Map(),
    phrases: new Map(),
    pieces: new Map(),
    longest: 1,
  };
  for (const line of foldLetters(written.normalize('NFKC')).replaceAll('\n  ', ' ').trim().split('\n')) {
    const colon = line.indexOf(': ');
    const meaning = line.slice(0, colon);
    for (const word of line.slice(colon + 2).split(' ')) addWord(meanings, word, meaning);
  }
  for (const phrases of meanings.phrases.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  return meanings;
}

function addWord(meanings: Meanings, word: string, meaning: string): void {
  if (UNSPACED.test(word)) {
    addNew(meanings.pieces, word, meaning);
    meanings.longest = Math.max(meanings.longest, word.length);
    return;
  }
  if (/[_-]/.test(word)) addPhrase(meanings.phrases, word.split(/[_-]/), meaning);
  else if (word.endsWith('*')) addNew(meanings.stems, word.slice(0, -1), meaning);
  else addNew(meanings.words, word, meaning);
}

function addPhrase(phrases: Meanings['phrases'], words: string[], meaning: string): void {
  const [first = ''] = words;
  const known = phrases.get(first);
  if (known) known.push({ words, meaning });
  else phrases.set(first, [{ words, meaning }]);
}

function addNew(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}
