import * as z from 'zod';
import { type Criterion, normalizeCriterionText } from '../../domain/criteria/criterion.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import { OUTCOMES } from '../../domain/entities/verification.ts';
import { sha256 } from '../../domain/json/json.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';
import type { CriterionState, CriterionStates, CriterionStatuses } from './criterion-status.ts';

const texts = z.array(z.string());

/** The schema of a turn's `quality_gate_results`. Records of older versions may lack any field. */
export const turnRecordSchema = z.object({
  /** The tree that the gates ran on and the Coach scored. */
  tree: z.string().nullable().default(null),
  verification: z.string().nullable().default(null),
  outcome: z.enum(OUTCOMES).default('absent'),
  gates: z.record(z.string(), z.enum(OUTCOMES)).default({}),
  /** For failed gates and for required gates that are absent. */
  reasons: z.record(z.string(), z.string()).default({}),
  /** The test, check or file that proves each verified criterion. */
  criteria_evidence: z.record(z.string(), z.string()).default({}),
  /** Digest of each criterion's text when it was judged. */
  criteria_texts: z.record(z.string(), z.string()).default({}),
  regressions: texts.default([]),
  /** False claims in the Player's report. */
  honesty: texts.default([]),
  overridden_because: texts.default([]),
  /** Null if no review is required. */
  arch_threshold: z.number().nullable().default(null),
  cost_usd: z.number().nullable().default(null),
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  /** How many actions of its agents the guards refused. */
  refused: z.number().default(0),
  /** Protected files that the agents changed and GuardKit restored. */
  put_back: texts.default([]),
});

export type TurnRecord = z.infer<typeof turnRecordSchema>;

/** Prefix of the entries of `overridden_because` that are about gates; stored, so it must not change. */
const GATE_ENTRY = 'gate ';

/** An entry of `overridden_because` about a required gate that did not pass. */
export function gateEntry(gate: string, text: string): string {
  return `${GATE_ENTRY}${gate} ${text}`;
}

/** The entries of `overridden_because` that are not about gates. */
export function withoutGateEntries(entries: readonly string[]): string[] {
  return entries.filter((text) => !text.startsWith(GATE_ENTRY));
}

const NOTHING = turnRecordSchema.parse({});

/** Cached: every turn reads the records of all turns before it. */
const parsedRecords = new WeakMap<object, TurnRecord>();

/** A turn's record; the defaults if no gate ran or the record is unreadable. */
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

/** Detects a criterion that was reworded after it was verified. */
export function criterionDigest(text: string): string {
  return sha256(normalizeCriterionText(text)).slice(0, 16);
}

/** The last status of each criterion after these turns (oldest first), with its evidence. */
export function criterionStates(turns: readonly TurnState[]): CriterionStates {
  const last = turns.findLast((turn) => Object.keys(turn.acceptance_criteria_status).length > 0);
  if (!last) return {};
  // A turn that was not judged repeats the statuses without their evidence.
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

/** The statuses of these criteria; a criterion reworded since it was judged is pending. */
export function currentStatuses(
  states: CriterionStates,
  criteria: readonly Pick<Criterion, 'id' | 'text'>[],
): CriterionStatuses {
  return Object.fromEntries(criteria.map((one) => [one.id, stateOf(states, one).status]));
}

/** The state of a criterion with its current text. */
export function stateOf(
  states: CriterionStates,
  { id, text }: Pick<Criterion, 'id' | 'text'>,
): CriterionState & { reopened?: true } {
  const state = Object.hasOwn(states, id) ? states[id] : undefined;
  if (!state || state.status === 'pending') return { status: 'pending', evidence: null };
  if (state.digest === undefined || state.digest === criterionDigest(text)) return state;
  return { status: 'pending', evidence: null, reopened: true };
}

/** Rounds to a millionth, to drop floating-point noise. */
export function sumUsd(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1e6) / 1e6;
}

/** The total of several agent runs; the cost is null if no run reports one. */
export function sumUsage(
  usage: readonly AgentUsage[],
): Pick<TurnRecord, 'cost_usd' | 'input_tokens' | 'output_tokens'> {
  const costs = usage.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  return {
    cost_usd: costs.length === 0 ? null : sumUsd(costs),
    input_tokens: usage.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output_tokens: usage.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
