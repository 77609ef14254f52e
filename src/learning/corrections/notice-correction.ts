import { alike } from './alike.ts';
import { readTraits } from './read-traits.ts';
import { oddsOf } from './weigh-traits.ts';
import type { PromptBefore } from './went-before.ts';

export type { PromptBefore } from './went-before.ts';

export type CorrectionSign = 'words' | 'put_back' | 'repeated' | 'interrupted';

export interface NoticedCorrection {
  confidence: number;
  signs: CorrectionSign[];
  /** The person's words, and what of the agent's they are about. */
  quotes: [person: string, agent: string];
}

/** Below this it is left alone: one that is missed costs less than one that is made up. */
const ENOUGH = 0.85;
/** Nobody is sure of what somebody means. */
const SUREST = 0.99;
const ALIKE = 0.75;
const MAX_QUOTE = 400;

/** What a sign beside the words adds to the logarithm of the odds: set by hand, since samples have them with either label. */
const SIGNS = { put_back: 0.8, interrupted: 0.8, repeated: 0.6 } as const;

/**
 * Whether a person's prompt corrects what the agent did. Judged by words, by what became of its files and by what was said
 * before; no model is asked. It would rather miss a correction than make one up.
 */
export function noticeCorrection(prompt: string, before: PromptBefore): NoticedCorrection | undefined {
  const { confidence, signs } = judgePrompt(prompt, before);
  // The other signs may have any reason.
  if (confidence < ENOUGH || !signs.includes('words')) return undefined;
  return {
    confidence: Math.min(Math.round(confidence * 100) / 100, SUREST),
    signs,
    quotes: [quote(prompt), quote(whatTheAgentDid(before))],
  };
}

/** How surely a prompt corrects, from 0 to 1, and what speaks for it. */
export function judgePrompt(
  prompt: string,
  before: PromptBefore,
): Pick<NoticedCorrection, 'confidence' | 'signs'> {
  const traits = readTraits(prompt, before);
  if (!traits) return { confidence: 0, signs: [] };
  let odds = oddsOf(traits);
  const signs: CorrectionSign[] = odds > 0 ? ['words'] : [];
  for (const sign of otherSigns(prompt, before)) {
    signs.push(sign);
    odds += SIGNS[sign];
  }
  return { confidence: 1 / (1 + Math.exp(-odds)), signs };
}

function otherSigns(prompt: string, before: PromptBefore): (keyof typeof SIGNS)[] {
  const { putBack = [], interrupted, earlierPrompts = [] } = before;
  const found: [keyof typeof SIGNS, boolean][] = [
    ['put_back', putBack.length > 0],
    ['interrupted', interrupted !== undefined],
    ['repeated', earlierPrompts.some((earlier) => alike(prompt, earlier) >= ALIKE)],
  ];
  return found.filter(([, is]) => is).map(([sign]) => sign);
}

function whatTheAgentDid({ message, tools, edited }: PromptBefore): string {
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
