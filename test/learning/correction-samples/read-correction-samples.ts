import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { PromptBefore } from '../../../src/learning/corrections/read-cues.ts';

/*
 * Prompts that the weights of the cues were adjusted on; `+` before a style marks a correction. Each folder has one author and
 * one file per language. The seventh consists of plain, everyday prompts. Samples may be added, unlike labelled prompts.
 */
const toolUseSchema = z.strictObject({ tool: z.string(), target: z.string() });
const sampleSchema = z.strictObject({
  earlier: z.array(z.string()).optional(),
  message: z.string(),
  edited: z.array(z.string()),
  tools: z.array(toolUseSchema).optional(),
  interrupted: toolUseSchema.optional(),
  reverted: z.array(z.string()).optional(),
  said: z.array(z.tuple([z.string().regex(/^[+-][a-z-]{4,12}$/), z.string()])),
});

export interface CorrectionSample {
  author: string;
  language: string;
  style: string;
  prompt: string;
  before: PromptBefore;
  correction: boolean;
}

export function readCorrectionSamples(folder = new URL('./', import.meta.url)): CorrectionSample[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((author) => samplesBy(author, new URL(`${author}/`, folder)));
}

function samplesBy(author: string, folder: URL): CorrectionSample[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      z
        .array(sampleSchema)
        .parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
        .flatMap(({ earlier, message, edited, tools, interrupted, reverted, said }) =>
          said.map(([label, prompt]) => ({
            author,
            language: name.slice(0, 2),
            style: label.slice(1),
            prompt,
            before: {
              message,
              edited,
              tools: tools ?? edited.map((target) => ({ tool: 'Edit', target })),
              interrupted,
              reverted,
              earlierPrompts: earlier,
            },
            correction: label.startsWith('+'),
          })),
        ),
    );
}
