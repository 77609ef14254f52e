import * as z from 'zod';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** The signs that indicate a correction. */
export const CORRECTION_SIGNS = ['words', 'put_back', 'repeated', 'interrupted'] as const;

export const correctionNoticedSchema = z.strictObject({
  session: z.string().min(1),
  agent: z.string().min(1),
  signs: z.array(z.enum(CORRECTION_SIGNS)).min(1),
  confidence: z.number().min(0).max(1),
  /** The person's words. */
  person_quote: z.string(),
  /** The agent's words or actions before. */
  agent_quote: z.string(),
  /** Files of the project that the agent had changed. */
  files: z.array(z.string()),
  feature: workIdSchema.nullable(),
});

export type CorrectionNoticed = z.infer<typeof correctionNoticedSchema>;

/** A person corrected an agent. */
export const correctionNoticed = defineEntryKind<CorrectionNoticed>({
  kind: 'correction_noticed',
  schema: correctionNoticedSchema,
  freeText: ['person_quote', 'agent_quote'],
  episodes: (entry) => {
    const { session, agent, signs, confidence, person_quote, agent_quote, files, feature } = entry.body;
    return traceEpisodes(entry, [
      {
        type: 'correction',
        source: 'user_correction',
        outcome: 'noticed',
        context: { program: agent, session, feature },
        event: {
          what_happened: agent_quote || 'The agent did something the person did not want.',
          what_was_correct: person_quote,
          why: `detected by: ${signs.join(', ').replaceAll('_', ' ')}`,
        },
        attempted: files.length === 0 ? null : `edit ${files[0]}`,
        confidence,
        quotes: [person_quote, agent_quote],
      },
    ]);
  },
});
