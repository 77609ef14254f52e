import { alike } from './alike.ts';
import { type CompiledWords, correctionWords } from './correction-words.ts';
import { guessLanguages } from './guess-languages.ts';
import { plainWords } from './plain-words.ts';

export type CorrectionSign = 'words' | 'put_back' | 'repeated' | 'interrupted';

/** What a prompt came after. */
export interface PromptBefore {
  /** The agent's last words. */
  message: string;
  /** What it did since the prompt before. */
  tools: readonly { tool: string; target: string }[];
  /** Files of the project that it changed. */
  edited: readonly string[];
  /** What the person cut short. */
  interrupted?: { tool: string; target: string } | undefined;
  /** Of the changed files, those that are as they were again, and not by the agent's doing. */
  putBack?: readonly string[] | undefined;
  /** What the person said before in this session, the oldest first. */
  earlierPrompts?: readonly string[] | undefined;
}

export interface NoticedCorrection {
  confidence: number;
  signs: CorrectionSign[];
  /** The person's words, and what of the agent's they are about. */
  quotes: [person: string, agent: string];
}

/** Below this it is left alone: one that is missed costs less than one that is made up. */
const ENOUGH = 0.8;
const ALIKE = 0.75;
const MAX_QUOTE = 400;

/**
 * Whether a person's prompt corrects what the agent did. Judged by words, by what became of its files and by what was said
 * before; no model is asked. It would rather miss a correction than make one up.
 */
export function noticeCorrection(prompt: string, before: PromptBefore): NoticedCorrection | undefined {
  const words = plainWords(prompt);
  if (words === '') return undefined;
  const { sure, signs } = weigh(words, before);
  const confidence = Math.round(sure * 100) / 100;
  if (confidence < ENOUGH || signs.length === 0) return undefined;
  return { confidence, signs, quotes: [quote(prompt), quote(whatTheAgentDid(before))] };
}

interface Weighed {
  /** How surely it is a correction, from 0 to 1. */
  sure: number;
  signs: CorrectionSign[];
}

function weigh(words: string, before: PromptBefore): Weighed {
  const languages = guessLanguages(words).map(correctionWords);
  const asked = asksSomething(before.message);
  const signs: CorrectionSign[] = [];
  const spoken = Math.max(0, ...languages.map((language) => spokenFault(words, language, asked)));
  if (spoken >= 0.3) signs.push('words');
  let doubts = 1 - spoken;
  if (before.putBack && before.putBack.length > 0) {
    signs.push('put_back');
    doubts *= 0.35;
  }
  if (before.interrupted) {
    signs.push('interrupted');
    doubts *= 0.55;
  }
  if (before.earlierPrompts?.some((earlier) => alike(words, plainWords(earlier)) >= ALIKE)) {
    signs.push('repeated');
    doubts *= 0.4;
  }
  // What a person says of their own mind, or of somebody else's faults, is no word about the agent's work.
  if (languages.some(({ own }) => own.test(words))) return { sure: (1 - doubts) * 0.35, signs };
  if (languages.some(({ others }) => others.test(words))) return { sure: (1 - doubts) * 0.6, signs };
  return { sure: 1 - doubts, signs };
}

/** How surely the words alone find fault, from 0 to 1. */
function spokenFault(words: string, language: CompiledWords, asked: boolean): number {
  if (language.bare.test(words)) return asked ? 0.2 : 0.88;
  const sentences = words
    .split(/ [.!?](?: |$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
  const found = sentences.map((sentence, index) => faultOf(sentence, language, index));
  found.sort((one, other) => other - one);
  const [first = 0, ...others] = found;
  // Several faults in a list make one correction; further on in a long text words of fault turn up by themselves.
  let sure = 1 - others.slice(0, 3).reduce((left, one) => left * (1 - 0.4 * one), 1 - first);
  const count = words.split(' ').length;
  if (count <= SHORT) sure = 1 - (1 - sure) * 0.7;
  if (count > LONG) sure *= 0.92;
  if (language.praise.test(words)) sure *= 0.92;
  if (language.further.test(words)) sure *= 0.85;
  // An answer, or a refusal of what was offered: nothing was done yet.
  return asked ? sure * 0.6 : sure;
}

const MAX_SENTENCES = 40;
const SHORT = 7;
const LONG = 90;

function faultOf(sentence: string, language: CompiledWords, index: number): number {
  const place = index === 0 ? 1 : index === 1 ? 0.92 : 0.75;
  let doubts = 1;
  for (const { kind, sayings } of language.faults) {
    let surest = 0;
    for (const { weight, pattern } of sayings) {
      if (weight <= surest) continue;
      const at = sentence.search(pattern);
      if (at < 0) continue;
      // Said first it is an order; elsewhere it is often what is being built.
      surest = kind === 'undo' && at <= 24 && index === 0 ? Math.max(weight, 0.84) : weight;
    }
    doubts *= 1 - surest * (PERSONAL.includes(kind) ? Math.max(place, 0.92) : place);
  }
  return 1 - doubts;
}

/** What is said to the agent's face is meant for it wherever it stands. */
const PERSONAL: readonly string[] = ['accusing', 'unasked', 'claim'];

/** The last thing the agent said was a question or an offer. */
function asksSomething(message: string): boolean {
  return /[?？]/.test(message.slice(-ASKING));
}

const ASKING = 240;

function whatTheAgentDid({ message, tools, edited }: PromptBefore): string {
  if (message.trim() !== '') return message;
  if (edited.length > 0) return `changed ${edited.slice(0, 5).join(', ')}`;
  return tools
    .slice(-3)
    .map(({ tool, target }) => `${tool} ${target}`)
    .join('; ');
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1).toWellFormed()}…`;
}
