import * as z from 'zod';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { TRACE_LABELS, trace, traceSchema } from '../../../../domain/entities/trace.ts';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { entryNumbersSchema, lineSchema, nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const violationRelabelledSchema = z.strictObject({
  /** The `violation_recorded` entries. */
  numbers: entryNumbersSchema,
  label: z.enum(TRACE_LABELS),
  reason: lineSchema,
  /** Traces derived from those entries, which get the label too. */
  traces: z
    .array(z.strictObject({ id: nameSchema.min(1), at: timestampSchema, body: traceSchema }))
    .max(10_000)
    .default([]),
});

export type ViolationRelabelled = z.infer<typeof violationRelabelledSchema>;

/** Recorded violations whose author is unknown: they stay in the chain and no longer count. */
export const violationRelabelled = defineEntryKind<ViolationRelabelled>({
  kind: 'violation_relabelled',
  schema: violationRelabelledSchema,
  freeText: ['reason'],
  episodes: ({ project, body }) =>
    body.traces.map(({ id, at, body: relabelled }) => ({
      group: projectGroup(project, 'traces'),
      entity_type: trace.type,
      entity_id: id,
      body: { ...relabelled, label: body.label },
      source: relabelled.source,
      valid_at: at,
    })),
});
