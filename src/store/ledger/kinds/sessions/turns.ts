import * as z from 'zod';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { type TurnState, turnState } from '../../../../domain/entities/turn-state.ts';
import { turnStateId, workIdSchema } from '../../../../domain/entities/work-id.ts';
import { jsonObjectSchema } from '../../../../domain/json/json-schema.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { type TraceInput, traceEpisodes } from '../../outbox/trace-episode.ts';

/** A turn as far as it got. Recorded several times: when it starts, and when it has been judged. */
export const turnRecorded = defineEntryKind({
  kind: 'turn_recorded',
  schema: turnState.schema,
  freeText: turnState.freeText,
  episodes: (entry) => [
    {
      group: projectGroup(entry.project, 'turn_states'),
      entity_type: turnState.type,
      body: entry.body.completed_at === null ? entry.body : { ...entry.body, timestamp: entry.at },
      source: 'ledger',
      valid_at: entry.at,
    },
    // The turn's own schema parsed it.
    ...traceEpisodes(entry, verdictOf(entry.body as unknown as TurnState)),
  ],
});

const TYPES = {
  approved: 'approval',
  feedback: 'correction',
  rejected: 'correction',
  escalated: 'decision',
} as const;

/** One trace per turn, however often the turn is recorded. */
function verdictOf(turn: TurnState): TraceInput[] {
  const { feature_id, task_id, turn_number, coach_decision, coach_feedback } = turn;
  if (coach_decision === null) return [];
  return [
    {
      id: `TRACE-${turnStateId(feature_id, task_id, turn_number)}`,
      type: TYPES[coach_decision],
      source: 'coach',
      outcome: coach_decision,
      context: { agent: 'player', feature: feature_id, task: task_id, turn: turn_number },
      event: {
        what_happened: turn.player_summary || 'The Player gave no report.',
        what_was_correct: turn.what_to_try_next ?? '',
        why: coach_feedback ?? '',
      },
      attempted: `turn ${turn.player_decision ?? 'unreported'}`,
    },
  ];
}

/** In order, each recorded before the next starts; `cancelled` if a person stopped an agent. */
const TURN_STEPS = ['began', 'planned', 'played', 'committed', 'verified', 'judged', 'cancelled'] as const;

export type TurnStep = (typeof TURN_STEPS)[number];

export const turnStepSchema = z.strictObject({
  build_id: z.string().min(1),
  feature_id: workIdSchema,
  task_id: workIdSchema,
  turn_number: z.int().min(1),
  step: z.enum(TURN_STEPS),
  /** The result of the step: an agent's answer, a commit, a verification. */
  data: jsonObjectSchema,
});

/** A step of a turn is done. */
export const turnStep = defineEntryKind({ kind: 'turn_step', schema: turnStepSchema, freeText: ['data'] });
