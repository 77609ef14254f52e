import * as z from 'zod';
import { type Criterion, normalizeCriterionText } from '../../domain/criteria/criterion.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { OUTCOMES } from '../../domain/entities/verification.ts';
import { sha256 } from '../../domain/json/json.ts';
import type { CriterionState, CriterionStates, CriterionStatuses } from './criterion-status.ts';

const texts = z.array(z.string());

/** What a turn's `quality_gate_results` hold. Read by whoever shows or judges turns; older ones may lack any of it. */
export const turnRecordSchema = z.object({
  /** That the gates ran on, and the score is of. */
  tree: z.string().nullable().default(null),
  verification: z.string().nullable().default(null),
  outcome: z.enum(OUTCOMES).default('absent'),
  gates: z.record(z.string(), z.enum(OUTCOMES)).default({}),
  /** Of the gates that failed, and of required ones that are absent. */
  reasons: z.record(z.string(), z.string()).default({}),
  /** The test, check or file that each verified criterion rests on. */
  criteria_evidence: z.record(z.string(), z.string()).default({}),
  /** What each criterion said when it was judged, as a digest. */
  criteria_texts: z.record(z.string(), z.string()).default({}),
  regressions: texts.default([]),
  /** What the Player claimed and was not so. */
  honesty: texts.default([]),
  overridden_because: texts.default([]),
  /** Null where no review is required. */
  arch_threshold: z.number().nullable().default(null),
  cost_usd: z.number().nullable().default(null),
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  /** How often guards said no to its agents. */
  refused: z.number().default(0),
  /** What they changed and must not; it was put back. */
  put_back: texts.default([]),
});

export type TurnRecord = z.infer<typeof turnRecordSchema>;

const NOTHING = turnRecordSchema.parse({});

/** Every turn asks for what all turns before it said, so that each is parsed once. */
const parsedRecords = new WeakMap<object, TurnRecord>();

/** What a turn's gates said; nothing, where they were not run or another program wrote it. */
export function turnRecord({
  quality_gate_results,
}: Pick<TurnState, 'quality_gate_results'>): Readonly<TurnRecord> {
  if (quality_gate_results === null) return NOTHING;
  const known = parsedRecords.get(quality_gate_results);
  if (known) return known;
  const record = turnRecordSchema.safeParse(quality_gate_results).data ?? NOTHING;
  parsedRecords.set(quality_gate_results, record);
  return record;
}

/** So that a criterion that was reworded is not taken for the one that was verified. */
export function criterionDigest(text: string): string {
  return sha256(normalizeCriterionText(text)).slice(0, 16);
}

/** Where the criteria stand after these turns, the oldest first: the last status, and what it was verified on. */
export function criterionStates(turns: readonly TurnState[]): CriterionStates {
  const last = turns.findLast((turn) => Object.keys(turn.acceptance_criteria_status).length > 0);
  if (!last) return {};
  // A turn that was not judged carries the statuses on, and says nothing of what they rest on.
  const records = turns.map(turnRecord).reverse();
  const said = (field: 'criteria_evidence' | 'criteria_texts', id: string) =>
    records.find((record) => Object.hasOwn(record[field], id))?.[field][id];
  return Object.fromEntries(
    Object.entries(last.acceptance_criteria_status).map(([id, status]): [string, CriterionState] => [
      id,
      {
        status,
        evidence: status === 'verified' ? (said('criteria_evidence', id) ?? null) : null,
        digest: said('criteria_texts', id),
      },
    ]),
  );
}

/** How these criteria stand, for whoever has to meet them: one that was reworded since it was judged is pending. */
export function currentStatuses(
  states: CriterionStates,
  criteria: readonly Pick<Criterion, 'id' | 'text'>[],
): CriterionStatuses {
  return Object.fromEntries(criteria.map((one) => [one.id, stateOf(states, one).status]));
}

/** The state of a criterion as its text is now. */
export function stateOf(
  states: CriterionStates,
  { id, text }: Pick<Criterion, 'id' | 'text'>,
): CriterionState & { reopened?: true } {
  const state = Object.hasOwn(states, id) ? states[id] : undefined;
  if (!state || state.status === 'pending') return { status: 'pending', evidence: null };
  if (state.digest === undefined || state.digest === criterionDigest(text)) return state;
  return { status: 'pending', evidence: null, reopened: true };
}
