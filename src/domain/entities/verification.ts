import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { workIdSchema } from './work-id.ts';

/** The result of a gate. `absent` does not count as passed. */
export const OUTCOMES = ['pass', 'fail', 'absent'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** `fail` wins over `absent`, `absent` over `pass`; an empty list is `absent`. */
export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('fail')) return 'fail';
  return outcomes.length === 0 || outcomes.includes('absent') ? 'absent' : 'pass';
}

export const gateResultSchema = z.strictObject({
  gate: z.string().min(1),
  result: z.enum(OUTCOMES),
  required: z.boolean(),
  reason: z.string(),
  /** The reason as a code, for programs; absent if the result is enough. */
  code: z.string().optional(),
  warnings: z.array(z.string()),
  /** Confirmed by a person. */
  manual: z.boolean(),
  /** Ids of the runs it is based on. */
  evidence: z.array(z.string()),
  /** The command and the relevant output lines, if the gate did not pass. */
  details: z.array(z.string()).optional(),
  /** How to satisfy the gate. */
  remedy: z.string().optional(),
});

export type GateResult = z.infer<typeof gateResultSchema>;

/** Why a gate did not pass: reason, details and remedy, as lines. */
export function explainGate({ reason, details = [], remedy }: GateResult, most = 12): string[] {
  return [reason, ...details.slice(0, most).map((line) => `  ${line}`), ...(remedy ? [`→ ${remedy}`] : [])];
}

/** The results of all gates for one feature or task at one tree. */
export const verificationSchema = z.strictObject({
  id: z.string().min(1),
  feature_id: workIdSchema,
  /** Null for the whole feature. */
  task_id: workIdSchema.nullable(),
  tree: z.string().min(1),
  base_commit: z.string().min(1),
  /** Hash of the commands, thresholds and criteria in force. */
  definition_hash: z.string(),
  outcome: z.enum(OUTCOMES),
  gates: z.array(gateResultSchema),
  sandbox: z.string().nullable(),
  duration_ms: z.number().min(0),
});

export type Verification = z.infer<typeof verificationSchema>;

export const verification = defineEntity<Verification>({
  type: 'verification',
  groups: ['evidence'],
  schema: verificationSchema,
  id: (body) => body.id,
  name: (body) => `verification of ${body.task_id ?? body.feature_id}: ${body.outcome}`,
  text: (body) =>
    [
      `verification ${body.feature_id} ${body.task_id ?? ''}: outcome=${body.outcome} tree=${body.tree.slice(0, 12)}`,
      ...body.gates.map(({ gate, result, reason }) => `${gate} ${result}: ${reason}`),
    ].join('\n'),
  indexed: ['feature_id', 'task_id', 'outcome', 'tree'],
  freeText: ['gates'],
  relations: (body) => [
    { relation: 'verifies', to: body.feature_id },
    ...(body.task_id === null ? [] : [{ relation: 'verifies', to: body.task_id }]),
    ...[...new Set(body.gates.flatMap(({ evidence }) => evidence))].map((to) => ({
      relation: 'rests_on',
      to,
    })),
  ],
});
