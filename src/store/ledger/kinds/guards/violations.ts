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
  /** The kind of the subagent, or the role it was started in; null for the one that talks to a person. */
  agent_type: z.string().nullable(),
  /** Which guard it was against. */
  guard: z.string().min(1),
  /** What was done, in a sentence. */
  what: z.string().min(1),
  /** As people are shown it: relative to the project, `.git/…`, or absolute outside of both. */
  path: z.string().min(1),
  /** Of the content that was there before; null where there was no file, or none that is kept by its content. */
  before_hash: z.string().nullable(),
  /** Of the content that was found; null where there was none. */
  found_hash: z.string().nullable(),
  /** Where the copy of what was found lies, relative to the quarantine; null where there was nothing to copy. */
  quarantined: z.string().nullable(),
  /** Whether it is put back as it was. */
  restored: z.boolean(),
  /** The action in which it happened, by the agent's own id; null where that cannot be told. */
  action: z.string().nullable(),
  /** What the agent worked on, or whose fields it changed, where that is known. */
  feature: workIdSchema.nullable().default(null),
  task: workIdSchema.nullable().default(null),
  turn: z.int().min(1).nullable().default(null),
});

export type Violation = z.infer<typeof violationSchema>;
export type NewViolation = z.input<typeof violationSchema>;

/** The guard of what agents ask GuardKit itself for and only people may do; the path is then the command. */
export const PERSON_ONLY = 'person-only';

/** An agent changed what it must not change. */
export const violationRecorded = defineEntryKind<Violation>({
  kind: 'violation_recorded',
  schema: violationSchema,
  freeText: ['what'],
  episodes: (entry) => {
    const { session, what, path, guard, restored, action } = entry.body;
    // A person in a terminal that may be an agent's is refused too: nothing is learned from an author who is not known.
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
                  'Only a person may do that: say what is needed and why, and leave it to one.',
              },
              attempted: `run ${path}`,
            }
          : {
              outcome: restored ? 'restored' : 'not_restored',
              label: guard === FOUND_AFTERWARDS ? 'author-unknown' : null,
              event: {
                what_happened: `${what} (${path})`,
                what_was_correct: restored ? 'It is put back as it was; leave it alone.' : 'Leave it alone.',
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
