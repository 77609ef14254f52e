import { oddsOf } from './cue-weights.ts';
import { foldLetters } from './meanings.ts';
import type { PromptBefore } from './read-cues.ts';
import { readCues } from './read-cues.ts';

export type CorrectionSign = 'words' | 'put_back' | 'repeated' | 'interrupted';

export interface NoticedCorrection {
  confidence: number;
  signs: CorrectionSign[];
  /** The person's prompt, and the agent's message or actions that it refers to. */
  quotes: [person: string, agent: string];
}

/** A missed correction costs less than an invented one. */
const MIN_CONFIDENCE = 0.85;
const MAX_CONFIDENCE = 0.99;
const ALIKE = 0.75;
const MAX_QUOTE = 400;

/** Log odds that each other sign adds. Set by hand: in the samples these signs occur with both labels. */
const SIGNS = { put_back: 0.5, interrupted: 0.5, repeated: 0.5 } as const;

/**
 * Decides whether a person's prompt corrects the agent, from its words, restored files and earlier prompts, without a model.
 * It prefers to miss a correction rather than invent one.
 */
export function noticeCorrection(prompt: string, before: PromptBefore): NoticedCorrection | undefined {
  const { confidence, signs } = judgePrompt(prompt, before);
  // A restored file or an interruption alone may have any reason.
  if (confidence < MIN_CONFIDENCE || !signs.includes('words')) return undefined;
  return {
    confidence: Math.min(Math.round(confidence * 100) / 100, MAX_CONFIDENCE),
    signs,
    quotes: [quote(prompt), quote(agentAction(before))],
  };
}

/** The confidence that a prompt is a correction, from 0 to 1, and the signs for it. */
export function judgePrompt(
  prompt: string,
  before: PromptBefore,
): Pick<NoticedCorrection, 'confidence' | 'signs'> {
  const cues = readCues(prompt, before);
  if (!cues) return { confidence: 0, signs: [] };
  let odds = oddsOf(cues);
  const signs: CorrectionSign[] = odds > 0 ? ['words'] : [];
  for (const sign of otherSigns(prompt, before)) {
    signs.push(sign);
    odds += SIGNS[sign];
  }
  return { confidence: 1 / (1 + Math.exp(-odds)), signs };
}

function otherSigns(prompt: string, before: PromptBefore): (keyof typeof SIGNS)[] {
  const { reverted = [], interrupted, earlierPrompts = [] } = before;
  const found: [keyof typeof SIGNS, boolean][] = [
    ['put_back', reverted.length > 0],
    ['interrupted', interrupted !== undefined],
    ['repeated', earlierPrompts.some((earlier) => alike(prompt, earlier) >= ALIKE)],
  ];
  return found.filter(([, is]) => is).map(([sign]) => sign);
}

function agentAction({ message, tools, edited }: PromptBefore): string {
  if (message.trim() !== '') return message;
  if (edited.length > 0) return `changed ${edited.slice(0, 5).join(', ')}`;
  return tools
    .slice(-3)
    .map(({ tool, target }) => `${tool} ${target}`)
    .join('; ');
}

function quote(text: string): string {
  const line = text
    .slice(0, 4 * MAX_QUOTE)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1).toWellFormed()}…`;
}

const MAX_TEXT = 4000;
const MIN_WORDS = 5;

/** How similar two texts are by the words they share, from 0 to 1. */
function alike(one: string, other: string): number {
  const first = wordsOf(one);
  const second = wordsOf(other);
  const shorter = Math.min(first.size, second.size);
  if (shorter < MIN_WORDS) return 0;
  // Relative to the shorter one: a repeated request often has more words around it.
  return [...first].filter((word) => second.has(word)).length / shorter;
}

function wordsOf(text: string): Set<string> {
  const words = foldLetters(text.slice(0, MAX_TEXT)).split(/[^\p{L}\p{N}\p{M}]+/u);
  return new Set(words.filter((word) => word.length > 2));
}
