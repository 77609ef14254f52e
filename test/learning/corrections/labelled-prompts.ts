import { readFileSync } from 'node:fs';
import * as z from 'zod';

/*
 * Prompts of people to coding agents, each labelled by hand: does it correct what the agent just did?
 *
 * There are two sets, by two people who had not seen a detector. Weights are never fitted to them. The first set helps to choose
 * cues and the minimum confidence; the second is held out: nobody reads it to improve the detector. A label changes only when it
 * breaks the definition below, never because a detector gets it wrong.
 *
 * A prompt is a correction when the person tells that something the agent did, began or claimed in this session
 * was wrong, unwanted, incomplete against the request, or not what had been asked for. Polite, implicit,
 * sarcastic and one-word forms count, and so does praise for one part with a rejection of another.
 *   - Asking to undo it is a correction, unless the person gives a reason of their own (see below).
 *   - Naming a convention or a fact that the agent's work has just broken is one ("that file is generated").
 *   - Saying that a claimed fix does not work, or that a claim was false, is one.
 *   - Interrupting something because it must not happen is one.
 *
 * It is ordinary when nothing the agent did is found fault with:
 *   - a new task, an extension or a further wish, also with "no", "don't", "actually" or "stop" in it;
 *   - an answer to the agent's question or a refusal of its offer: nothing had been done yet;
 *   - a change of the person's own mind or a mistake of their own ("I said X but now I want Y"), even when work
 *     is undone for it: the agent had done what was asked;
 *   - faults of old code, of other people or of services, pasted logs and quoted words;
 *   - an interruption or an undo for reasons that have nothing to do with the work.
 *
 * Some prompts occur with both labels: only what went before tells them apart.
 */

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh', 'ru'] as const;

export const STYLES = [
  'plain',
  'terse',
  'polite',
  'angry',
  'long',
  'typos',
  'lower-case',
  'list',
  'dictated',
  'code-heavy',
  'sarcastic',
] as const;

const toolUseSchema = z.strictObject({ tool: z.string().min(1), target: z.string().min(1) });

export const labelledPromptSchema = z.strictObject({
  id: z.string().regex(/^[a-z]{2}-\d{3}$/),
  language: z.enum(LANGUAGES),
  style: z.enum(STYLES),
  /** The agent's last message, the tools it used, and the files it changed. */
  previous: z.strictObject({
    message: z.string().min(1),
    tools: z.array(toolUseSchema).min(1),
    edited: z.array(z.string().min(1)),
  }),
  /** Further context: a tool the person interrupted, files they restored, their earlier prompts. */
  signals: z
    .strictObject({
      interrupted: toolUseSchema.optional(),
      reverted: z.array(z.string().min(1)).min(1).optional(),
      earlierPrompts: z.array(z.string().min(1)).min(1).optional(),
    })
    .optional(),
  prompt: z.string().min(1),
  correction: z.boolean(),
  why: z.string().min(1),
});

export type LabelledPrompt = z.infer<typeof labelledPromptSchema>;

export const SETS = ['first', 'second'] as const;

/** Reads a whole set: one JSON object per line, one file per language. */
export function readLabelledPrompts(set: (typeof SETS)[number]): LabelledPrompt[] {
  return LANGUAGES.flatMap((language) =>
    readFileSync(new URL(`./prompts/${set}/${language}.jsonl`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => labelledPromptSchema.parse(JSON.parse(line))),
  );
}
