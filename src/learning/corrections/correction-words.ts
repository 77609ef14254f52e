import type { PromptLanguage } from './guess-languages.ts';
import { foldLetters } from './plain-words.ts';
import { DE } from './words/de.ts';
import { EN } from './words/en.ts';
import { ES } from './words/es.ts';
import { FR } from './words/fr.ts';
import { IT } from './words/it.ts';
import { JA } from './words/ja.ts';
import type { LanguageWords, Saying } from './words/language-words.ts';
import { NL } from './words/nl.ts';
import { PL } from './words/pl.ts';
import { PT } from './words/pt.ts';
import { RU } from './words/ru.ts';
import { ZH } from './words/zh.ts';

const WORDS: Readonly<Record<PromptLanguage, LanguageWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  nl: NL,
  pl: PL,
  ru: RU,
  ja: JA,
  zh: ZH,
};

export const FAULT_KINDS = [
  'accusing',
  'unasked',
  'wrong',
  'again',
  'undo',
  'should',
  'stop',
  'rule',
  'claim',
  'polite',
  'sarcasm',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

interface CompiledSaying {
  weight: number;
  pattern: RegExp;
}

export interface CompiledWords {
  faults: { kind: FaultKind; sayings: CompiledSaying[] }[];
  bare: RegExp;
  own: RegExp;
  others: RegExp;
  praise: RegExp;
  further: RegExp;
  content: RegExp;
  wish: RegExp;
  asks: RegExp;
}

const compiled = new Map<PromptLanguage, CompiledWords>();

/** The words of a language, ready to be looked for in folded text. */
export function correctionWords(language: PromptLanguage): CompiledWords {
  let words = compiled.get(language);
  if (!words) {
    words = compile(WORDS[language], language !== 'ja' && language !== 'zh');
    compiled.set(language, words);
  }
  return words;
}

function compile(
  { faults, bare, own, others, praise, further, content, wish, asks }: LanguageWords,
  spaced: boolean,
): CompiledWords {
  return {
    faults: FAULT_KINDS.map((kind) => ({
      kind,
      sayings: ((faults[kind] ?? []) as readonly Saying[]).map(([weight, source]) => ({
        weight,
        pattern: wholeWords(source, spaced),
      })),
    })),
    bare: new RegExp(`^(?:${foldLetters(bare)})[ .!?]*$`, 'u'),
    own: wholeWords(own, spaced),
    others: wholeWords(others, spaced),
    praise: new RegExp(`^(?:${foldLetters(praise)})`, 'u'),
    further: new RegExp(`^(?:${foldLetters(further)})`, 'u'),
    content: wholeWords(content, spaced),
    wish: wholeWords(wish, spaced),
    asks: wholeWords(asks, spaced),
  };
}

/** All of them are ours, and none has a repetition without an end. */
function wholeWords(written: string, spaced: boolean): RegExp {
  const source = foldLetters(written);
  return spaced
    ? new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'u')
    : new RegExp(`(?:${source})`, 'u');
}
