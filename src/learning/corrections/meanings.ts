import { DE } from './words/de.ts';
import { EN } from './words/en.ts';
import { ES } from './words/es.ts';
import { FR } from './words/fr.ts';

/** Lower case, without accents. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss');
}

const WORDS = { en: EN, de: DE, fr: FR, es: ES };

export type PromptLanguage = keyof typeof WORDS;

/** The meanings that matter for corrections, by word: `forgot` is `omit`, `revert` is `undo`. */
export interface Meanings {
  words: Map<string, string>;
  /** Word beginnings: `apolog` covers apologies and apologize. */
  stems: Map<string, string>;
  /** Several words, by the first one; the longest first. */
  phrases: Map<string, { words: string[]; meaning: string }[]>;
}

const loaded = new Map<PromptLanguage, Meanings>();

export function meaningsIn(language: PromptLanguage): Meanings {
  let meanings = loaded.get(language);
  if (!meanings) {
    meanings = parseMeanings(WORDS[language]);
    loaded.set(language, meanings);
  }
  return meanings;
}

const MIN_STEM = 3;
const MAX_STEM = 16;

export function meaningOf({ words, stems }: Meanings, word: string): string | undefined {
  const whole = words.get(word);
  if (whole !== undefined) return whole;
  for (let length = Math.min(word.length, MAX_STEM); length >= MIN_STEM; length -= 1) {
    const meaning = stems.get(word.slice(0, length));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/** One meaning per line, `meaning: word stem* two_words`; an indented line continues it. The first meaning of a word wins. */
function parseMeanings(text: string): Meanings {
  const meanings: Meanings = { words: new Map(), stems: new Map(), phrases: new Map() };
  for (const line of foldLetters(text).replaceAll('\n  ', ' ').trim().split('\n')) {
    const [meaning = '', words = ''] = line.split(': ');
    for (const word of words.split(' ')) addWord(meanings, word, meaning);
  }
  for (const phrases of meanings.phrases.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  return meanings;
}

function addWord({ words, stems, phrases }: Meanings, word: string, meaning: string): void {
  if (word.includes('_')) {
    const parts = word.split('_');
    const [first = ''] = parts;
    phrases.set(first, [...(phrases.get(first) ?? []), { words: parts, meaning }]);
  } else if (word.endsWith('*')) addNew(stems, word.slice(0, -1), meaning);
  else addNew(words, word, meaning);
}

function addNew(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}
