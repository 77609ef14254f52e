import { FAULT_KINDS } from './correction-words.ts';
import { type Evidence, readEvidence } from './read-evidence.ts';
import { weighEvidence } from './weigh-evidence.ts';
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
const MAX_QUOTE = 400;

/**
 * Whether a person's prompt corrects what the agent did. Judged by words, by what became of its files and by what was said
 * before; no model is asked. It would rather miss a correction than make one up.
 */
export function noticeCorrection(prompt: string, before: PromptBefore): NoticedCorrection | undefined {
  if (prompt.trim() === '') return undefined;
  const evidence = readEvidence(prompt, before);
  const confidence = Math.round(weighEvidence(evidence) * 100) / 100;
  const signs = signsOf(evidence);
  // One sign without a word of fault may have any reason.
  if (confidence < ENOUGH || (!signs.includes('words') && signs.length < 2)) return undefined;
  return { confidence, signs, quotes: [quote(prompt), quote(whatTheAgentDid(before))] };
}

function signsOf(evidence: Evidence): CorrectionSign[] {
  const found: [CorrectionSign, boolean][] = [
    ['words', SPOKEN.some((kind) => evidence[kind] >= 0.3)],
    ['put_back', evidence.put_back > 0],
    ['interrupted', evidence.interrupted > 0],
    ['repeated', evidence.repeated > 0],
  ];
  return found.filter(([, is]) => is).map(([sign]) => sign);
}

const SPOKEN = [...FAULT_KINDS, 'bare', 'pasted_fault', 'contrast'] as const;

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
