import { type Circumstances, readCircumstances } from './circumstances.ts';
import { guessLanguage } from './guess-language.ts';
import type { PromptLanguage } from './meanings.ts';
import { type Token, tokensOf } from './prompt-tokens.ts';
import { type PromptSymbol, symbolsOf } from './read-symbols.ts';
import type { PromptBefore } from './went-before.ts';

/**
 * What a prompt, and what it came after, are weighed by: each trait is there or not. Those of one kind share what they weigh, so
 * that many words do not outweigh few ones.
 */
export type Traits = Map<TraitKind, Set<string>>;

export const TRAIT_KINDS = [
  'words',
  'word_runs',
  'beginning',
  'letters',
  'meanings',
  'placed_meanings',
  'pairs',
  'triples',
  'apart',
  'meanings_only',
  'commas',
  'asked',
  'questions',
  'circumstanced',
  'claims',
  'circumstances',
] as const;

export type TraitKind = (typeof TRAIT_KINDS)[number];

const MAX_BEFORE = 6000;
const MAX_EARLIER = 20;
const MAX_RUN = 200;

/** Undefined where a prompt has no word of the person's own. */
export function readTraits(prompt: string, before: PromptBefore): Traits | undefined {
  const person = (before.earlierPrompts ?? [])
    .slice(-MAX_EARLIER)
    .map((earlier) => earlier.slice(0, MAX_BEFORE))
    .join(' \n ');
  const message = before.message.slice(0, MAX_BEFORE);
  const language = guessLanguage(prompt.slice(0, MAX_BEFORE), `${person.slice(0, MAX_BEFORE)} ${message}`);
  const tokens = tokensOf(prompt, language);
  if (!tokens.some(({ kind }) => kind === 'word')) return undefined;
  const done = [...before.edited, ...before.tools.map(({ target }) => target), before.interrupted?.target];
  const agent = `${message} ${done.join(' ').slice(0, MAX_BEFORE)}`;
  const sentences = sentencesOf(symbolsOf(tokens, language, { agent, person }));
  const circumstances = readCircumstances(prompt, before, tokens, sentences.length);
  const traits: Traits = new Map(TRAIT_KINDS.map((kind) => [kind, new Set()]));
  const add = (kind: TraitKind, trait: string): void => {
    traits.get(kind)?.add(trait);
  };
  addWords(tokens, language, add);
  addSymbols(sentences, add);
  addCircumstances(sentences, circumstances, add);
  return traits;
}

type Add = (kind: TraitKind, trait: string) => void;

interface Sentence {
  symbols: string[];
  /** The mark it ends with. */
  mark: string;
}

function sentencesOf(symbols: readonly PromptSymbol[]): Sentence[] {
  const sentences: Sentence[] = [];
  let open: string[] = [];
  const close = (mark: string): void => {
    if (open.length > 0) sentences.push({ symbols: open, mark });
    open = [];
  };
  for (const { text, ends } of symbols) {
    if (ends) close(text);
    // Things without a meaning are one thing where they stand together.
    const isSame = open.at(-1) === text && /^[A-Z]/.test(text);
    if (ends ? text === 'POINT' : !isSame) open.push(text);
  }
  close('');
  return sentences;
}

function addWords(tokens: readonly Token[], language: PromptLanguage, add: Add): void {
  const texts = tokens.map(({ kind, text }) => (text === '' ? kind.toUpperCase() : textOf(kind, text)));
  for (const [index, { kind, text, unspaced }] of tokens.entries()) {
    if (unspaced) continue;
    const first = texts[index];
    const second = texts[index + 1];
    const third = texts[index + 2];
    add('words', `${language} ${first}`);
    if (second !== undefined) add('words', `${language} ${first} ${second}`);
    if (third !== undefined) add('word_runs', `${language} ${first} ${second} ${third}`);
    if (kind === 'word' && text.length >= 4) addLetters(`_${text.slice(0, 40)}_`, language, add);
  }
  for (const run of unspacedRuns(tokens)) addUnspacedLetters(run.slice(0, MAX_RUN), language, add);
  const [first, second] = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  add('beginning', `${language} ${first}`);
  if (second !== undefined) add('beginning', `${language} ${first} ${second}`);
}

/** Names and numbers are seldom the same twice. */
function textOf(kind: Token['kind'], text: string): string {
  return kind === 'file' || kind === 'name' || kind === 'number' ? kind.toUpperCase() : text;
}

function addLetters(word: string, language: PromptLanguage, add: Add): void {
  for (const length of [4, 5])
    for (let at = 0; at + length <= word.length; at += 1)
      add('letters', `${language} ${word.slice(at, at + length)}`);
}

/** Pieces that stood together. */
function unspacedRuns(tokens: readonly Token[]): string[] {
  const runs: string[] = [];
  let open = '';
  for (const { text, unspaced } of [...tokens, { text: '', unspaced: false }]) {
    if (unspaced) open += text;
    else {
      if (open !== '') runs.push(open);
      open = '';
    }
  }
  return runs;
}

function addUnspacedLetters(run: string, language: PromptLanguage, add: Add): void {
  for (const length of [1, 2, 3, 4])
    for (let at = 0; at + length <= run.length; at += 1)
      add('letters', `${language} ${run.slice(at, at + length)}`);
}

function addSymbols(sentences: readonly Sentence[], add: Add): void {
  for (const [index, { symbols, mark }] of sentences.entries()) {
    const all = ['^', ...symbols.filter((symbol) => symbol !== ','), `$${mark}`];
    const isFirst = index === 0;
    if (mark !== '') add('meanings', `end ${mark}`);
    for (const symbol of all.slice(1, -1)) {
      add('meanings', symbol);
      add('placed_meanings', `${isFirst ? 'first' : 'later'} ${symbol}`);
      if (mark.startsWith('?')) add('questions', symbol);
    }
    addRuns(all, isFirst, add);
    addMeaningsOnly(all, add);
    addCommas(symbols, add);
  }
}

const MAX_APART = 4;

function addRuns(all: readonly string[], isFirst: boolean, add: Add): void {
  for (const [at, first] of all.entries()) {
    const second = all[at + 1];
    const third = all[at + 2];
    const begins = isFirst && at === 0;
    if (second !== undefined) {
      add('pairs', `${first} ${second}`);
      if (begins) add('pairs', `first ${second}`);
    }
    if (third !== undefined) {
      add('triples', `${first} ${second} ${third}`);
      if (begins) add('triples', `first ${second} ${third}`);
    }
    for (let gap = 2; gap <= MAX_APART; gap += 1) {
      const other = all[at + gap];
      if (other !== undefined) add('apart', `${first} ${other}`);
    }
  }
}

function addMeaningsOnly(all: readonly string[], add: Add): void {
  const meanings = all.filter((symbol) => /^[a-z^$]/.test(symbol));
  for (const [at, first] of meanings.entries()) {
    const second = meanings[at + 1];
    const third = meanings[at + 2];
    if (second !== undefined) add('meanings_only', `${first} ${second}`);
    if (third !== undefined) add('meanings_only', `${first} ${second} ${third}`);
  }
}

function addCommas(symbols: readonly string[], add: Add): void {
  for (const [at, symbol] of symbols.entries()) {
    const after = symbols[at + 1];
    if (symbol !== ',' || after === undefined || after === ',') continue;
    const before = symbols[at - 1];
    add('commas', `, ${after}`);
    if (before === undefined || before === ',') continue;
    add('commas', `${before} ,`);
    add('commas', `${before} , ${after}`);
  }
}

/** What is said again is weighed by the circumstances that it is said in. */
function addCircumstances(sentences: readonly Sentence[], circumstances: Circumstances, add: Add): void {
  const { facts, asked, claims, fault } = circumstances;
  const meanings = new Set(sentences.flatMap(({ symbols }) => symbols.filter((symbol) => symbol !== ',')));
  for (const meaning of meanings) {
    add('asked', `${asked} ${meaning}`);
    for (const circumstance of circumstances.crossed) add('circumstanced', `${circumstance} ${meaning}`);
    if (ANSWERS.has(meaning)) for (const claim of claims) add('claims', `${claim} ${meaning}`);
  }
  if (fault) for (const claim of claims) add('claims', `${claim} fault`);
  for (const fact of facts) add('circumstances', fact);
  const counted = sentences.flatMap(({ symbols }) => symbols.filter((symbol) => /^[MRBX]$/.test(symbol)));
  const count = (places: string): number => counted.filter((place) => places.includes(place)).length;
  const unheard = counted.length === 0 ? 5 : Math.round((4 * count('X')) / counted.length);
  add('circumstances', `agent's ${Math.min(count('MB'), 4)}`);
  add('circumstances', `person's ${Math.min(count('RB'), 4)}`);
  add('circumstances', `nobody's ${Math.min(count('X'), 8)}`);
  add('circumstances', `unheard ${unheard}`);
  add('circumstances', `unheard ${unheard} ${circumstances.length}`);
}

/** Meanings that answer a claim of the agent's. */
const ANSWERS = new Set(
  'fail still again not CODE PRINTED why outputs missing same undo test wrong work hack omit what only'.split(
    ' ',
  ),
);
