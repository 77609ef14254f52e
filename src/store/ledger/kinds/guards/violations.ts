import * as z from 'zod';
import { isDoctorSession } from '../../../../domain/doctor-session.ts';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { FOUND_AFTERWARDS, TRACE_LABELS, trace, traceSchema } from '../../../../domain/entities/trace.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { timestampSchema } from '../../../../domain/timestamp.ts';
import { entryNumbersSchema, lineSchema, nameSchema } from '../../chain/entry-fields.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { agentContext, traceEpisodes } from '../../outbox/trace-episode.ts';

export const violationSchema = z.strictObject({
  session: z.string().min(1),
  /** The coding agent's program. */
  agent: z.string().min(1),
  /** The kind of the subagent, or its role; null for the agent that talks to the person. */
  agent_type: z.string().nullable(),
  /** The violated guard. */
  guard: z.string().min(1),
  /** What happened, in one sentence. */
  what: z.string().min(1),
  /** As shown to people: relative to the project, `.git/…`, or absolute outside both. */
  path: z.string().min(1),
  /** Hash of the content before; null if there was no file or its content is not stored. */
  before_hash: z.string().nullable(),
  /** Hash of the content found; null if there was none. */
  found_hash: z.string().nullable(),
  /** Where the found version is kept, relative to the quarantine; null if there was none. */
  quarantined: z.string().nullable(),
  /** Whether the previous version was restored. */
  restored: z.boolean(),
  /** The agent's own id of the action; null if unknown. */
  action: z.string().nullable(),
  /** The agent's current work, or the feature whose fields it changed, if known. */
  feature: workIdSchema.nullable().default(null),
  task: workIdSchema.nullable().default(null),
  turn: z.int().min(1).nullable().default(null),
});

export type Violation = z.infer<typeof violationSchema>;
export type NewViolation = z.input<typeof violationSchema>;

/** The guard for person-only commands that an agent tried to run; the path is then the command. */
export const PERSON_ONLY = 'person-only';

/** An agent changed something it must not change. */
export const violationRecorded = defineEntryKind<Violation>({
  kind: 'violation_recorded',
  schema: violationSchema,
  freeText: ['what'],
  episodes: (entry) => {
    const { session, what, path, guard, restored, action } = entry.body;
    // A person in a terminal that may be an agent's is refused too; nothing is learned if the author is unknown.
    if (isDoctorSession(session) || entry.body.agent === 'unknown') return [];
    return traceEpisodes(entry, [
      {
        type: 'violation',
        source: 'enforcement_hook',
        context: agentContext(entry.body),
        guard,
        action,
        ...(guard === PERSON_ONLY
          ? {
              outcome: 'denied',
              event: {
                what_happened: `${path}: ${what}`,
                what_was_correct:
                  'Only a person may do that: explain what is needed and why, and leave it to them.',
              },
              attempted: `run ${path}`,
            }
          : {
              outcome: restored ? 'restored' : 'not_restored',
              label: guard === FOUND_AFTERWARDS ? 'author-unknown' : null,
              event: {
                what_happened: `${what} (${path})`,
                what_was_correct: restored ? 'The file was restored; leave it alone.' : 'Leave it alone.',
              },
              attempted: `edit ${path}`,
            }),
      },
    ]);
  },
});

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

/** Recorded violations whose author is unknown. They stay in the chain but no longer count. */
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
