import { foldLetters } from './meanings.ts';
import { type PromptBefore, readCues } from './read-cues.ts';

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

/** The log odds of a prompt without any cue. */
const BASE_ODDS = -1;

/**
 * How much each cue adds to the log odds that a prompt corrects the agent: `weight: cue, cue`, continued on indented lines.
 * `read-cues.ts` describes the cues. Set by hand, then adjusted on the samples in `test/learning/correction-samples`.
 */
const CUE_WEIGHTS = `
2.2: undo it, you omit
2.1: please undo, start you, still wrong
2: not asked, you broke, you removed
1.9: not good, should keep, start it wrong, still fail, still missing
1.8: broke it, start NEW not, you did
1.7: it broke, it wrong, missing, same fail, undo all
1.6: asked not, asked?, not .. asked, remove KNOWN, start broke, start extra, start wrong, undo end, wrong file
1.5: KNOWN back, again fail, again wrong, no end, not here, only .. asked, start undo, stop not, use .. instead,
  we use, why .. you, why did, work not, you should
1.4: KNOWN .. next, answer fail, answer you, start NEW before, start omit, still not, stop did, stop it, use .. not,
  why you, you not
1.3: KNOWN, KNOWN good, NEW new, asked only, it .. already, not can, now fail, start QUOTE, wrong KNOWN
1.2: again?, back end, i .. asked, i asked, is .. should, is wrong, it not, not all, not work, start NEW is,
  start i not, start missing, start we
1.1: but .. omit, keep end, new?, no it, no not, removed?, start no not, wrong end, you .. look
1: (short), KNOWN .. KNOWN, already, already NEW, but .. not, extra, file, is, it .. should, look .. again, not end,
  start CODE, start again, start it, start it not, start still, start why, undo KNOWN, you .. not
0.9: all KNOWN, answer asked, answer undo, before NEW, but .. fail, but .. missing, fail now, good but, is .. you,
  it should, look again, not .. here, start fail, start not, undo .. KNOWN
0.8: (failure shown), NEW look, NEW only, QUOTE, asked you, change .. instead, i only, is you, not did, not look,
  not make, not should, not use, now wrong, start no, thanks but, we .. here, we not
0.7: KNOWN .. look, answer wrong, but .. wrong, change .. not, did .. not, not change, omit, only, remove it,
  should not, start KNOWN, start KNOWN NEW, start stop, still NEW, use .. here, what i
0.6: KNOWN .. back, KNOWN .. did, KNOWN .. only, KNOWN .. what, NEW is, NEW not, answer broke, answer did,
  answer omit, asked, asked .. KNOWN, back, broke, i .. KNOWN, instead it, it .. now, it .. wrong, no KNOWN,
  not remove, start i, start it NEW, you .. all
0.5: KNOWN .. you, KNOWN not, it .. not, start use
0.4: NEW KNOWN, NEW should, did you, keep it, only NEW, still, use NEW
0.3: (no new word), NEW .. KNOWN, is fail, removed
0.2: instead, no NEW, not NEW, should, you .. NEW
-0.2: start make
-0.3: (mostly new words), NEW .. again, NEW .. please
-0.4: NEW .. fail, new, now NEW
-0.5: NEW go, NEW i, NEW?, good, i can, make NEW, own .. NEW, own .. it, start look
-0.6: (ends with ?), NEW .. old, NEW undo, go it, i .. party, is it, later, not .. party, not you, now .. party,
  remove NEW, start can, start is, start now, start thanks, still .. i, tell
-0.7: also, change .. NEW, it .. fail, make .. NEW, next end, not .. go, party .. is, please NEW, thanks,
  what .. is, what KNOWN, what before, why it
-0.8: NEW .. change, NEW .. later, also .. KNOWN, before .. i, but .. it, can we, fail .. not, good it, i .. now,
  is .. did, is .. wrong, not still, now .. it, old .. NEW, old .. not, should?, start good, start good good,
  start tell, still .. it, tell NEW, we?, what?, why?
-0.9: (many new words), fail?, go .. not, make, make KNOWN, missing?, not omit, please end, start NEW you, we end
-1: (nothing edited), answer only, i party, instead?, no .. party, old .. is, own .. use
-1.1: KNOWN .. omit, KNOWN .. wrong, answer keep, answer stop, before fail, good .. is, good i, it .. party,
  old .. fail, own end, party party, start work
-1.2: answer instead, is?, later .. NEW, own NEW, start no NEW, undo .. please
-1.3: answer no, answer not, asked .. but, is good
-1.4: NEW .. wrong, go, go end, please make
-1.5: answer we, good end, it good, make .. KNOWN, make .. please, not .. still, start not omit, start what,
  thanks end, why .. not
-1.6: later end
-1.8: i .. back
-1.9: start later, wish
-2: can you, i .. undo, i undo, next
-2.1: (agent asked), i back
-2.2: not now
-2.7: own
`;

interface WeighedCue {
  cue: string;
  /** Log odds; negative if the cue makes a correction less likely. */
  weight: number;
}

/** The cues with a weight, heaviest first. */
export function weighCues(cues: Iterable<string>): WeighedCue[] {
  weights ??= parseWeights();
  const found: WeighedCue[] = [];
  for (const cue of cues) {
    const weight = weights.get(cue);
    if (weight !== undefined) found.push({ cue, weight });
  }
  return found.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** The log odds that a prompt with these cues corrects the agent. */
function oddsOf(cues: Iterable<string>): number {
  return weighCues(cues).reduce((odds, { weight }) => odds + weight, BASE_ODDS);
}

let weights: Map<string, number> | undefined;

function parseWeights(): Map<string, number> {
  const parsed = new Map<string, number>();
  for (const line of CUE_WEIGHTS.replaceAll(',\n  ', ', ').trim().split('\n')) {
    const colon = line.indexOf(': ');
    for (const cue of line.slice(colon + 2).split(', ')) parsed.set(cue, Number(line.slice(0, colon)));
  }
  return parsed;
}
