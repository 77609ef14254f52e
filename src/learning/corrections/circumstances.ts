import { guessLanguage } from './guess-language.ts';
import { type Token, tokensOf } from './prompt-tokens.ts';
import { symbolsOf } from './read-symbols.ts';
import type { PromptBefore } from './went-before.ts';

export interface Circumstances {
  facts: string[];
  /** Whether the agent's last words were a question, asked or offered something, or did not. */
  asked: 'question' | 'asked' | 'told';
  /** Those that the meaning of words depends on. */
  crossed: string[];
  /** What the agent's words claim was done. */
  claims: string[];
  /** Output in the prompt shows that something fails. */
  fault: boolean;
  length: string;
}

const SHORT = 5;
const LONG = 40;
const LENGTHS = [1, 2, 4, 7, 12, 20, 35, 60];
const MAX_SENTENCES = 6;
const ASKING = 240;
const CLAIMING = 1500;
const MAX_FAULT = 4000;

export function readCircumstances(
  prompt: string,
  { message, edited, interrupted, putBack, earlierPrompts = [] }: PromptBefore,
  tokens: readonly Token[],
  sentences: number,
): Circumstances {
  const words = tokens.filter(({ kind }) => SAID.has(kind)).length;
  const length = `length ${LENGTHS.find((most) => words <= most) ?? 'more'}`;
  const end = message.slice(-ASKING).toLowerCase();
  const offers = OFFERS.test(end);
  const isQuestion = /[?？]\s{0,9}[)"'*_]{0,9}\s{0,9}$/.test(end);
  const asked = isQuestion ? 'question' : offers || /[?？]/.test(end) ? 'asked' : 'told';
  const fault = FAULT.test(prompt.slice(0, MAX_FAULT));
  const facts: [string, boolean][] = [
    [length, true],
    [`sentences ${Math.min(sentences, MAX_SENTENCES)}`, true],
    ['asked', asked !== 'told'],
    ['question', isQuestion],
    ['offer', offers],
    ['nothing edited', edited.length === 0],
    ['asks', /[?？]\s{0,9}$/.test(prompt.slice(-20))],
    ['loud', tokens.some(({ loud }) => loud)],
    ['nothing earlier', earlierPrompts.length === 0],
    ['fault', fault],
    ['asked, short', asked !== 'told' && words <= 7],
    ['told, short', asked === 'told' && words <= 4],
  ];
  const crossed: [string, boolean][] = [
    ['interrupted', interrupted !== undefined],
    ['put back', (putBack?.length ?? 0) > 0],
    ['nothing edited', edited.length === 0],
    ['short', words <= SHORT],
    ['long', words > LONG],
  ];
  return {
    facts: namesOf(facts),
    asked,
    crossed: namesOf(crossed),
    claims: claimsOf(message.slice(-CLAIMING), earlierPrompts.at(-1)?.slice(0, CLAIMING) ?? ''),
    fault,
    length,
  };
}

const SAID: ReadonlySet<Token['kind']> = new Set(['word', 'name', 'file', 'number'] as const);

function namesOf(facts: readonly [string, boolean][]): string[] {
  return facts.filter(([, is]) => is).map(([name]) => name);
}

function claimsOf(message: string, request: string): string[] {
  const language = guessLanguage(message, request);
  const symbols = symbolsOf(tokensOf(message, language), language, { agent: '', person: '' });
  return [...new Set(symbols.map(({ text }) => text).filter((text) => CLAIMS.has(text)))];
}

const CLAIMS = new Set(
  'fixed work done test added removed changed hack omit did moved also instead fail'.split(' '),
);

const FAULT =
  /(?<![\p{L}])(?:FAIL(?:ED|URE)?|[A-Z]\w{0,30}Error:|error TS\d|Traceback|panic:|undefined is not|Cannot find|expected \S{1,40}|Expected:|Received:|received \S{1,40}|exit code [1-9]|ENOENT|HTTP\/\S{1,4} [45]\d\d|npm ERR)/u;

/** An offer that needs no question mark. */
const OFFERS =
  /if you (?:want|like|prefer|d like|'d)|let me know|happy to|want me to|shall i|should i|would you like|do you want|wenn du (?:willst|möchtest|magst)|sag (?:mir )?bescheid|soll ich|möchtest du|si tu (?:veux|préfères)|dis-moi|tu veux que|si quieres|dime si|quieres que|se (?:você )?quiser|me (?:avise|diga)|quer que|posso |se vuoi|fammi sapere|vuoi che|als je (?:wilt|wil)|laat (?:me|het) weten|zal ik|jeśli chcesz|daj znać|czy mam|если (?:хочешь|хотите|нужно)|дай(?:те)? знать|よければ|必要でしたら|ましょうか|お知らせください|如果(?:你|您)?(?:需要|想|要)|需要的话|要不要|可以吗/u;
