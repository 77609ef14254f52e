import * as z from 'zod';
import { jsonObjectSchema } from '../json/json-schema.ts';
import { isObject } from '../json/plain-shape.ts';
import { timestampSchema } from '../timestamp.ts';
import { defineEntity } from './entity-type.ts';
import { turnStateId, workIdSchema } from './work-id.ts';

/** Also accepts the synonyms that the guides use for the stored values. */
function wordsFor<const Word extends string>(
  words: readonly Word[],
  synonyms: Record<string, NoInfer<Word>>,
) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const word = value.toLowerCase();
    return Object.hasOwn(synonyms, word) ? synonyms[word] : word;
  }, z.enum(words));
}

export const playerDecisionSchema = wordsFor(['implemented', 'failed', 'blocked'], {});

export const coachDecisionSchema = wordsFor(['approved', 'feedback', 'rejected', 'escalated'], {
  approve: 'approved',
  revise: 'feedback',
  reject: 'rejected',
  escalate: 'escalated',
});

export const criterionStatusSchema = wordsFor(
  ['verified', 'in_progress', 'pending', 'rejected', 'failed', 'blocked'],
  { completed: 'verified', not_started: 'pending' },
);

export const turnModeSchema = wordsFor(['fresh_start', 'continuing_work', 'recovering_state'], {});

/** `AC-001: User can log in` becomes AC-001; a key without an id stays unchanged. */
function criterionKey(text: string): string {
  if (!text.includes(':')) return text;
  return /^([A-Z][A-Z0-9]*-\d+):/.exec(text)?.[1] ?? text;
}

/** Keyed by id, unless two keys would become one. */
function criteriaById(value: unknown, context: z.RefinementCtx): unknown {
  if (!isObject(value)) return value;
  // A record would drop it silently.
  if (Object.hasOwn(value, '__proto__')) context.addIssue('__proto__ cannot be a criterion');
  // Already keyed by id: rebuilding takes longer than reading.
  if (Object.keys(value).every((key) => criterionKey(key) === key)) return value;
  const entries = Object.entries(value);
  const keyed = new Map(entries.map(([key, status]) => [criterionKey(key), status]));
  return keyed.size === entries.length ? Object.fromEntries(keyed) : value;
}

const criteriaSchema = z.preprocess(criteriaById, z.record(z.string().min(1), criterionStatusSchema));

const percent = z.number().min(0).max(100);

const turnStateObject = z.strictObject({
  feature_id: workIdSchema,
  task_id: workIdSchema,
  turn_number: z.int().min(1),
  mode: turnModeSchema,

  player_summary: z.string().default(''),
  /** Null while the turn runs, or if it was interrupted. */
  player_decision: playerDecisionSchema.nullable().default(null),
  files_modified: z.array(z.string()).default([]),
  progress_summary: z.string().default(''),
  blockers_found: z.array(z.string()).default([]),

  coach_decision: coachDecisionSchema.nullable().default(null),
  coach_feedback: z.string().nullable().default(null),
  acceptance_criteria_status: criteriaSchema.default({}),

  quality_gate_results: jsonObjectSchema.nullable().default(null),
  tests_passed: z.int().min(0).nullable().default(null),
  tests_failed: z.int().min(0).nullable().default(null),
  /** Percent from 0 to 100, unlike thresholds, which are fractions. */
  coverage: percent.nullable().default(null),
  arch_score: percent.nullable().default(null),

  started_at: timestampSchema.nullable().default(null),
  completed_at: timestampSchema.nullable().default(null),
  duration_seconds: z.number().min(0).nullable().default(null),
  /** When a finished turn was recorded. Absent in records from before it existed. */
  timestamp: timestampSchema.optional(),

  lessons_from_turn: z.array(z.string()).default([]),
  what_to_try_next: z.string().nullable().default(null),
});

/** Records in the guides also have `id` and `entity_type`, which are derived here, and may have only `timestamp` as their time. */
export const turnStateSchema = z.preprocess((value) => {
  if (!isObject(value)) return value;
  const isComplete = !('timestamp' in value) || (value.completed_at ?? null) !== null;
  // Already in stored form: a copy would take nearly as long as parsing.
  if (!('id' in value || 'entity_type' in value) && isComplete) return value;
  const { id: _id, entity_type, ...rest } = value as Record<string, unknown>;
  if (entity_type !== undefined && entity_type !== 'turn_state') return value;
  return isComplete ? rest : { ...rest, completed_at: rest.timestamp };
}, turnStateObject);

export type TurnState = z.infer<typeof turnStateObject>;

export { turnStateId } from './work-id.ts';

export const turnState = defineEntity<TurnState>({
  type: 'turn_state',
  groups: ['turn_states'],
  schema: turnStateSchema,
  id: (body) => turnStateId(body.feature_id, body.task_id, body.turn_number),
  name: (body) => `Turn ${body.turn_number}: ${body.task_id}`,
  text: turnStateText,
  indexed: ['task_id', 'feature_id', 'turn_number', 'coach_decision', 'player_decision', 'mode'],
  latestBy: 'turn_number',
  freeText: [
    'player_summary',
    'progress_summary',
    'blockers_found',
    'coach_feedback',
    'quality_gate_results',
    'lessons_from_turn',
    'what_to_try_next',
  ],
  relations: (body) => [
    { relation: 'turn_of', to: body.task_id },
    { relation: 'part_of', to: body.feature_id },
  ],
  idFilter: (entityId) => {
    // The guides' short form, which lacks the task.
    const short = /^TURN-(.+)-(\d{1,9})$/.exec(entityId);
    return short?.[1] ? { feature_id: short[1], turn_number: Number(short[2]) } : undefined;
  },
});

function turnStateText(body: TurnState): string {
  const lines = [
    `turn_state ${body.feature_id} ${body.task_id} turn ${body.turn_number}: ` +
      `coach_decision=${body.coach_decision ?? 'none'} player_decision=${body.player_decision ?? 'none'} mode=${body.mode}`,
  ];
  const add = (label: string, value: string | number | null) => {
    if (value !== null && value !== '') lines.push(`${label}: ${value}`);
  };
  add('player_summary', body.player_summary);
  add('coach_feedback', body.coach_feedback);
  add('progress_summary', body.progress_summary);
  add('blockers', body.blockers_found.join('; '));
  add('lessons', body.lessons_from_turn.join('; '));
  add('what_to_try_next', body.what_to_try_next);
  add('files', body.files_modified.join(' '));
  const criteria = Object.entries(body.acceptance_criteria_status);
  add('criteria', criteria.map(([criterion, status]) => `${criterion} ${status}`).join('; '));
  add('tests_passed', body.tests_passed);
  add('tests_failed', body.tests_failed);
  add('coverage', body.coverage);
  return lines.join('\n');
}
