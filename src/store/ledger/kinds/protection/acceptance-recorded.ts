import { type Acceptance, acceptanceSchema } from '../../../../domain/criteria/acceptance.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { traceEpisodes } from '../../outbox/trace-episode.ts';

/** A person accepted a file as it stands. */
export const acceptanceRecorded = defineEntryKind<Acceptance>({
  kind: 'acceptance_recorded',
  schema: acceptanceSchema,
  freeText: ['reason'],
  episodes: (entry) =>
    traceEpisodes(entry, [
      {
        type: 'approval',
        source: 'user_correction',
        outcome: 'approved',
        context: { agent: 'person' },
        event: {
          what_happened: `A person accepted ${entry.body.path} as it stands.`,
          why: entry.body.reason,
        },
        attempted: `edit ${entry.body.path}`,
      },
    ]),
});
