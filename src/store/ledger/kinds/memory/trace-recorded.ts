import { type Trace, traceSchema } from '../../../../domain/entities/trace.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** A person or an agent recorded a trace. */
export const traceRecorded = defineEntryKind<Trace>({
  kind: 'trace_recorded',
  schema: traceSchema,
  freeText: ['event', 'quotes', 'attempted'],
  renamed: { attempt: 'attempted' },
  episodes: (entry) => traceEpisodes(entry, [entry.body]),
});
