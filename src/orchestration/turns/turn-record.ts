import * as z from 'zod';
import { OUTCOMES } from '../../domain/outcome.ts';
import type { TurnState } from '../../domain/turn-state.ts';
import type { CriterionStates } from './update-criteria.ts';

const texts = z.array(z.string());

/** What a turn's `quality_gate_results` hold. Read by whoever shows or judges turns; older ones may lack any of it. */
export const turnRecordSchema = z.object({
  /** That the gates ran on, and the score is of. */
  tree: z.string().nullable().default(null),
  verification: z.string().nullable().default(null),
  outcome: z.enum(OUTCOMES).default('absent'),
  gates: z.record(z.string(), z.enum(OUTCOMES)).default({}),
  /** Of the gates that did not pass. */
  reasons: z.record(z.string(), z.string()).default({}),
  /** The test, check or file that each verified criterion rests on. */
  criteria_evidence: z.record(z.string(), z.string()).default({}),
  regressions: texts.default([]),
  /** What the Player claimed and was not so. */
  honesty: texts.default([]),
  overridden_because: texts.default([]),
  /** Null where no review is required. */
  arch_threshold: z.number().nullable().default(null),
  cost_usd: z.number().nullable().default(null),
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
});

export type TurnRecord = z.infer<typeof turnRecordSchema>;

const NOTHING = turnRecordSchema.parse({});

/** What a turn's gates said; nothing, where they were not run or another program wrote it. */
export function turnRecord({ quality_gate_results }: Pick<TurnState, 'quality_gate_results'>): TurnRecord {
  const parsed = turnRecordSchema.safeParse(quality_gate_results ?? {});
  return parsed.success ? parsed.data : NOTHING;
}

/** Where the criteria stand after these turns, the oldest first. */
export function criterionStates(turns: readonly TurnState[]): CriterionStates {
  const last = turns.findLast((turn) => Object.keys(turn.acceptance_criteria_status).length > 0);
  if (!last) return {};
  const { criteria_evidence } = turnRecord(last);
  return Object.fromEntries(
    Object.entries(last.acceptance_criteria_status).map(([id, status]) => [
      id,
      {
        status,
        evidence:
          status === 'verified' && Object.hasOwn(criteria_evidence, id) ? (criteria_evidence[id] ?? null) : null,
      },
    ]),
  );
}
