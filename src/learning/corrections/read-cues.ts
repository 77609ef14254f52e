import { foldLetters, type Meanings, meaningOf, meaningsIn, type PromptLanguage } from './meanings.ts';
import { type Token, tokensOf } from './prompt-tokens.ts';

/** The context of a prompt. */
export interface PromptBefore {
  /** The agent's last message. */
  message: string;
  /** Its actions since the previous prompt. */
  tools: readonly { tool: string; target: string }[];
  /** Files of the project that it changed. */
  edited: readonly string[];
  /** The action that the person interrupted. */
  interrupted?: { tool: string; target: string } | undefined;
  /** Edited files that somebody other than the agent has restored since. */
  reverted?: readonly string[] | undefined;
  /** The person's earlier prompts in this session, oldest first. */
  earlierPrompts?: readonly string[] | undefined;
}

const MAX_TEXT = 6000;
const MAX_EARLIER = 20;
const SHORT = 5;

/**
 * The named cues of a prompt. `omit`: a word of this meaning occurs; `start no`: the prompt starts with it; `you omit`: two
 * meanings in a row; `you .. wrong`: further apart in a sentence; `wrong end`: at the end of one; `why?`: in a question; `answer
 * no`: after a question or an offer of the agent. Other words are `KNOWN` if the conversation has mentioned them, else `NEW`.
 * Facts are in parentheses. Undefined in a language without a vocabulary, and for a prompt without words.
 */
export function readCues(prompt: string, before: PromptBefore): Set<string> | undefined {
  const previous = (before.earlierPrompts ?? [])
    .slice(-MAX_EARLIER)
    .map((earlier) => earlier.slice(0, MAX_TEXT));
  const message = before.message.slice(-MAX_TEXT);
  const language = guessLanguage(
    prompt.slice(0, MAX_TEXT),
    `${previous.join(' ').slice(0, MAX_TEXT)} ${message}`,
  );
  if (!language) return undefined;
  const tokens = tokensOf(prompt, language);
  const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'name' || kind === 'number').length;
  if (!tokens.some(({ kind }) => kind === 'word')) return undefined;
  const done = [
    ...before.edited,
    ...before.tools.map(({ target }) => target),
    before.interrupted?.target ?? '',
  ];
  const known = stemsOf(`${previous.join(' ')} ${message} ${done.join(' ').slice(0, MAX_TEXT)}`);
  const sentences = sentencesOf(tokens, language, known);
  const asked = hasAsked(message);
  const cues = new Set<string>();
  for (const { symbols, mark } of sentences) addSentence(cues, symbols, mark, asked);
  const first = sentences.find(({ symbols }) => symbols.length > 0)?.symbols ?? [];
  if (first[0] !== undefined) cues.add(`start ${first[0]}`);
  if (first[1] !== undefined) cues.add(`start ${first[0]} ${first[1]}`);
  const things = sentences.flatMap(({ symbols }) =>
    symbols.filter((symbol) => symbol === NEW || symbol === KNOWN),
  );
  const fresh = things.filter((thing) => thing === NEW).length;
  const facts: [string, boolean][] = [
    ['agent asked', asked],
    ['nothing edited', before.edited.length === 0],
    ['short', words <= SHORT],
    ['ends with ?', /[?？]\s{0,9}$/.test(prompt.slice(-20))],
    ['failure shown', FAILURE.test(prompt.slice(0, MAX_TEXT))],
    ['no new word', fresh === 0],
    ['many new words', fresh >= 6],
    ['mostly new words', things.length >= 3 && fresh / things.length > 0.7],
  ];
  for (const [fact, is] of facts) if (is) cues.add(`(${fact})`);
  return cues;
}

const NEW = 'NEW';
const KNOWN = 'KNOWN';
const NEAR = 4;

function addSentence(cues: Set<string>, symbols: readonly string[], mark: string, asked: boolean): void {
  for (const [at, symbol] of symbols.entries()) {
    cues.add(symbol);
    if (mark === '?') cues.add(`${symbol}?`);
    if (asked) cues.add(`answer ${symbol}`);
    const next = symbols[at + 1];
    if (next !== undefined) cues.add(`${symbol} ${next}`);
    for (const later of symbols.slice(at + 2, at + NEAR + 1)) cues.add(`${symbol} .. ${later}`);
  }
  const last = symbols.at(-1);
  if (last !== undefined) cues.add(`${last} end`);
}

const END: Token = { kind: 'end', text: '.' };

interface Sentence {
  symbols: string[];
  mark: string;
}

function sentencesOf(
  tokens: readonly Token[],
  language: PromptLanguage,
  known: ReadonlySet<string>,
): Sentence[] {
  const meanings = meaningsIn(language);
  const sentences: Sentence[] = [];
  let symbols: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] ?? END;
    if (kind === 'end' || kind === 'item') {
      sentences.push({ symbols, mark: text });
      symbols = [];
    } else if (kind === 'word') {
      const { meaning, length } = meaningAt(tokens, at, meanings, language);
      if (meaning !== undefined) symbols.push(meaning);
      else if (text.length >= 4) addThing(symbols, text, known);
      at += length - 1;
    } else if (kind === 'name') addThing(symbols, text.slice(text.lastIndexOf('/') + 1), known);
    else if (kind !== 'comma' && kind !== 'number') symbols.push(kind.toUpperCase());
  }
  sentences.push({ symbols, mark: '' });
  return sentences;
}

/** Words without a meaning next to each other are one thing. */
function addThing(symbols: string[], text: string, known: ReadonlySet<string>): void {
  const thing = known.has(text.slice(0, STEM)) ? KNOWN : NEW;
  if (symbols.at(-1) !== thing) symbols.push(thing);
}

function meaningAt(
  tokens: readonly Token[],
  at: number,
  meanings: Meanings,
  language: PromptLanguage,
): { meaning: string | undefined; length: number } {
  const text = tokens[at]?.text ?? '';
  const phrase = meanings.phrases.get(text)?.find(({ words }) =>
    words.every((word, index) => {
      const there = tokens[at + index];
      if (there?.kind !== 'word') return false;
      return word.endsWith('*') ? there.text.startsWith(word.slice(0, -1)) : there.text === word;
    }),
  );
  if (phrase) return { meaning: phrase.meaning, length: phrase.words.length };
  const own = meaningOf(meanings, text) ?? (text.length >= 4 ? swapped(meanings, text) : undefined);
  if (own !== undefined || language === 'en' || text.length < 4) return { meaning: own, length: 1 };
  // Technical English occurs in every language.
  return { meaning: meaningsIn('en').words.get(text), length: 1 };
}

/** The meaning of a word with two letters swapped, the most frequent typing mistake. */
function swapped({ words }: Meanings, word: string): string | undefined {
  if (word.length > 12) return undefined;
  for (let at = 0; at + 1 < word.length; at += 1) {
    const meaning = words.get(`${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

const STEM = 5;

function stemsOf(text: string): Set<string> {
  return new Set(
    foldLetters(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= 3)
      .map((word) => word.slice(0, STEM)),
  );
}

const FAILURE =
  /(?<![\p{L}])(?:FAIL(?:ED|URE)?|[A-Z]\w{0,30}Error:|error TS\d|Traceback|panic:|undefined is not|Cannot find|Expected:|Received:|exit code [1-9]|ENOENT|HTTP\/\S{1,4} [45]\d\d|npm ERR)/u;

const ASKING = 240;

/** The agent's message ends with a question or an offer. */
function hasAsked(message: string): boolean {
  const end = message.slice(-ASKING).toLowerCase();
  return /[?？]/.test(end) || OFFER.test(end);
}

const OFFER =
  /if you (?:want|like|prefer|'d)|let me know|happy to|want me to|shall i|should i|would you like|wenn du (?:willst|möchtest|magst)|sag (?:mir )?bescheid|soll ich|möchtest du|si tu (?:veux|préfères)|dis-moi|tu veux que|si quieres|dime si|quieres que/u;

/** Frequent words, folded. Languages without a vocabulary are listed so that their prompts are not taken for another's. */
const FREQUENT = {
  en: 'the is are you and to of it that this i not did for in was have with what my but dont thats its be can please on why so just should still add now',
  de: 'der die das ist nicht und ich du zu ein eine hast aber mit auf den wir doch noch bitte wieder auch war im sich fur warum jetzt nur nein so',
  fr: 'le la les est pas tu et je que de des un une ca cest jai mais dans pour avec ce cette plus du as encore il c j l d n qu pourquoi non',
  es: 'el la los no es que y de un una lo te se por con pero has para esta ese eso mi ya en del las he',
  pt: 'o a os nao e que de um uma voce isso esta com para mas do da no na eu ja meu essa por tambem ainda pra ta',
  it: 'il la non e che di un una hai ho per con ma questo questa lo gli del della sono piu ancora si come ci le nel l perche',
  nl: 'de het een niet is en je van ik dat dit maar met heb voor op ook nog was er zijn wel naar aan om weer waarom nu',
  pl: 'nie to jest i w na sie ze ale czy co jak mi tego po za dla z juz ma bo tylko jeszcze masz zeby prosze dlaczego teraz',
} as const;

const SUPPORTED: ReadonlySet<string> = new Set<PromptLanguage>(['en', 'de', 'fr', 'es']);
const MAX_WORDS = 200;
/** The conversation so far counts like this many words of the prompt, and English gets a head start. */
const SPOKEN_BEFORE = 1.6;
const ENGLISH = 0.3;
const OTHER_SCRIPT =
  /[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0600-\u06ff\u0590-\u05ff\u0900-\u097f]/;

const sets = new Map(
  Object.entries(FREQUENT).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** The language of a prompt; undefined if it has no vocabulary. */
function guessLanguage(prompt: string, before: string): PromptLanguage | undefined {
  if (OTHER_SCRIPT.test(prompt)) return undefined;
  const words = wordsOf(prompt);
  const wordsBefore = wordsOf(before);
  const inBefore = [...sets.values()].map((set) => wordsBefore.filter((word) => set.has(word)).length);
  const most = Math.max(1, ...inBefore);
  let best = { language: 'en', score: -1 };
  for (const [index, [language, set]] of [...sets].entries()) {
    const spoken = SPOKEN_BEFORE * Math.max(0, (inBefore[index] ?? 0) / most - 0.3);
    const score = words.filter((word) => set.has(word)).length + spoken + (language === 'en' ? ENGLISH : 0);
    if (score > best.score) best = { language, score };
  }
  return SUPPORTED.has(best.language) ? (best.language as PromptLanguage) : undefined;
}

function wordsOf(text: string): string[] {
  return foldLetters(text)
    .replace(/['’]/g, '')
    .split(/[^a-z]+/, MAX_WORDS)
    .filter((word) => word !== '');
}
