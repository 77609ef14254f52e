import * as z from 'zod';
import { evidence } from '../../../../domain/entities/evidence.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import {
  type Verification,
  verification,
  verificationSchema,
} from '../../../../domain/entities/verification.ts';
import { jsonObjectSchema } from '../../../../domain/json/json-schema.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { type TraceInput, traceEpisodes } from '../../outbox/trace-episode.ts';

/** The result of a run by GuardKit, or a person's attestation. */
export const evidenceRecorded = defineEntryKind({
  kind: 'evidence_recorded',
  schema: evidence.schema,
  freeText: evidence.freeText,
  episodes: ({ project, at, body }) => [
    {
      group: projectGroup(project, 'evidence'),
      entity_type: evidence.type,
      body,
      source: 'ledger',
      valid_at: at,
    },
  ],
});

/** Gate results for a feature or task at a tree. */
export const verificationRecorded = defineEntryKind<Verification>({
  kind: 'verification_recorded',
  schema: verificationSchema,
  freeText: ['gates'],
  episodes: (entry) => [
    {
      group: projectGroup(entry.project, 'evidence'),
      entity_type: verification.type,
      body: entry.body,
      source: 'ledger',
      valid_at: entry.at,
    },
    ...traceEpisodes(entry, failuresOf(entry.body)),
  ],
});

/** A required gate without a result has not passed either. */
function failuresOf({ feature_id, task_id, gates }: Verification): TraceInput[] {
  return gates
    .filter(({ result, required }) => result === 'fail' || (result === 'absent' && required))
    .map(({ gate, result, reason }) => ({
      type: 'violation',
      source: 'gate',
      outcome: result === 'fail' ? 'failed' : 'absent',
      context: { agent: 'verify', feature: feature_id, task: task_id },
      event: { what_happened: `${gate} ${result === 'fail' ? 'failed' : 'has no result'}: ${reason}` },
      guard: gate,
      attempted: `gate ${gate}`,
    }));
}

const verifyConfirmedSchema = z.strictObject({
  /** Hash of the commands, so that changed ones are confirmed again. */
  hash: z.string().min(1),
  verify: jsonObjectSchema,
  by: z.string().min(1),
});

/** A person confirmed detected commands for a project without configured ones. */
export const verifyConfirmed = defineEntryKind({
  kind: 'verify_confirmed',
  schema: verifyConfirmedSchema,
  freeText: [],
});
