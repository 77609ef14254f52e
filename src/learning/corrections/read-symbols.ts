import { foldLetters } from './fold-letters.ts';
import { type Meanings, meaningOf, meaningsIn, type PromptLanguage, UNSPACED } from './meanings.ts';
import type { Token } from './prompt-tokens.ts';

/**
 * What a token is to the detector: a meaning in lower case, or, for what has none, where it was spoken of before in capitals:
 * `M` by the agent, `R` by the person, `B` by both, `X` by nobody.
 */
export interface PromptSymbol {
  text: string;
  ends: boolean;
}

export interface SpokenOf {
  /** What the agent said and did, and what the person had said. */
  agent: string;
  person: string;
}

const MAX_TEXT = 6000;
const STEM = 5;
/** Shorter words without a meaning are mostly articles and prepositions. */
const MIN_WORD = 4;

export function symbolsOf(
  tokens: readonly Token[],
  language: PromptLanguage,
  { agent, person }: SpokenOf,
): PromptSymbol[] {
  const spoken: Spoken = {
    agent: agent.slice(0, MAX_TEXT).toLowerCase(),
    person: person.slice(0, MAX_TEXT).toLowerCase(),
    byAgent: stemsOf(agent),
    byPerson: stemsOf(person),
  };
  const symbols: PromptSymbol[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (!token) break;
    const { text, length } = symbolAt(tokens, at, token, language, spoken);
    if (text !== undefined) symbols.push({ text, ends: token.kind === 'end' || token.kind === 'point' });
    at += length;
  }
  return symbols;
}

interface Spoken {
  agent: string;
  person: string;
  byAgent: ReadonlySet<string>;
  byPerson: ReadonlySet<string>;
}

function symbolAt(
  tokens: readonly Token[],
  at: number,
  token: Token,
  language: PromptLanguage,
  spoken: Spoken,
): { text: string | undefined; length: number } {
  const { kind, text } = token;
  switch (kind) {
    case 'word': {
      const { meaning, length } = meaningAt(tokens, at, token, language);
      const isLong = token.unspaced || text.length >= MIN_WORD;
      return { text: meaning ?? (isLong ? placeOf(token, spoken) : undefined), length };
    }
    case 'file':
    case 'name': {
      const name = text.slice(text.lastIndexOf('/') + 1);
      const place = spoken.agent.includes(name) ? 'M' : spoken.person.includes(name) ? 'R' : 'X';
      return { text: `${kind.toUpperCase()}${place}`, length: 1 };
    }
    case 'end':
    case 'comma':
      return { text, length: 1 };
    case 'number':
      return { text: 'number', length: 1 };
    default:
      return { text: kind.toUpperCase(), length: 1 };
  }
}

function meaningAt(
  tokens: readonly Token[],
  at: number,
  { text, meaning }: Token,
  language: PromptLanguage,
): { meaning: string | undefined; length: number } {
  if (meaning !== undefined) return { meaning, length: 1 };
  const meanings = meaningsIn(language);
  const phrase = meanings.phrases.get(text)?.find(({ words }) =>
    words.every((word, index) => {
      const there = tokens[at + index];
      if (there?.kind !== 'word') return false;
      return word.endsWith('*') ? there.text.startsWith(word.slice(0, -1)) : there.text === word;
    }),
  );
  if (phrase) return { meaning: phrase.meaning, length: phrase.words.length };
  const own = meaningOf(meanings, text) ?? (language === 'en' ? meaningOfSlip(meanings, text) : undefined);
  if (own !== undefined || language === 'en' || text.length < MIN_WORD) return { meaning: own, length: 1 };
  // Everybody mixes in English words of the trade.
  return { meaning: meaningsIn('en').words.get(text), length: 1 };
}

/** Of an English word with two letters turned around, which fast fingers do most. */
function meaningOfSlip({ words }: Meanings, word: string): string | undefined {
  if (!/^[a-z]{3,12}$/.test(word)) return undefined;
  for (let at = 0; at + 1 < word.length; at += 1) {
    const turned = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
    const meaning = words.get(turned);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

function placeOf({ text, unspaced }: Token, { byAgent, byPerson }: Spoken): string {
  const stems = unspaced ? pairsOf(text) : [text.slice(0, STEM)];
  const isAgents = stems.some((stem) => byAgent.has(stem));
  const isPersons = stems.some((stem) => byPerson.has(stem));
  if (isAgents) return isPersons ? 'B' : 'M';
  return isPersons ? 'R' : 'X';
}

function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const word of foldLetters(text.slice(0, MAX_TEXT)).split(/[^\p{L}\p{N}]+/u)) {
    if (UNSPACED.test(word)) for (const pair of pairsOf(word)) stems.add(pair);
    else if (word.length >= 3) stems.add(word.slice(0, STEM));
  }
  return stems;
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_one, index) => text.slice(index, index + 2));
}
