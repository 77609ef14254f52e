import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { PromptBefore } from '../../../src/learning/corrections/notice-correction.ts';

/*
 * Prompts that the detector was developed with, by what went before them; `+` before a style marks a correction. Unlike the
 * labelled prompts they may be added to and fitted to, so that they judge nothing but a step backwards.
 */
const toolUseSchema = z.strictObject({ tool: z.string(), target: z.string() });
const sampleSchema = z.strictObject({
  earlier: z.array(z.string()).optional(),
  message: z.string(),
  edited: z.array(z.string()),
  tools: z.array(toolUseSchema).optional(),
  interrupted: toolUseSchema.optional(),
  putBack: z.array(z.string()).optional(),
  said: z.array(z.tuple([z.string().regex(/^[+-][a-z-]{4,12}$/), z.string()])),
});

export interface CorrectionSample {
  language: string;
  style: string;
  prompt: string;
  before: PromptBefore;
  correction: boolean;
}

export function readCorrectionSamples(): CorrectionSample[] {
  const folder = new URL('./', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) =>
      z
        .array(sampleSchema)
        .parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
        .flatMap(({ earlier, message, edited, tools, interrupted, putBack, said }) =>
          said.map(([label, prompt]) => ({
            language: name.slice(0, 2),
            style: label.slice(1),
            prompt,
            before: {
              message,
              edited,
              tools: tools ?? edited.map((target) => ({ tool: 'Edit', target })),
              interrupted,
              putBack,
              earlierPrompts: earlier,
            },
            correction: label.startsWith('+'),
          })),
        ),
    );
}
