import { type Trace, traceSchema } from '../../../../domain/entities/trace.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** Somebody told of a violation, correction, decision or approval. */
export const traceRecorded = defineEntryKind<Trace>({
  kind: 'trace_recorded',
  schema: traceSchema,
  freeText: ['event', 'quotes', 'attempted'],
  renamed: { attempt: 'attempted' },
  episodes: (entry) => traceEpisodes(entry, [entry.body]),
});
