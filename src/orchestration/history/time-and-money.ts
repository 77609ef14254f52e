import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { TurnStep } from '../../store/ledger/kinds/sessions/turns.ts';
import type { DoneStep } from '../feature-build/build-record.ts';
import { stepUsages } from '../feature-build/step-usage.ts';
import { sumUsage, sumUsd, turnRecord } from '../turns/turn-record.ts';

/** What a turn's time is spent on. */
export const TURN_PARTS = ['planner', 'player', 'gates', 'coach', 'guardkit'] as const;

export type TurnPart = (typeof TURN_PARTS)[number];

export interface PartSpent {
  seconds: number;
  /** Null if unknown. */
  usd: number | null;
}

export interface TurnSpent {
  turn: number;
  seconds: number;
  usd: number | null;
  inputTokens: number;
  outputTokens: number;
  parts: Record<TurnPart, PartSpent>;
}

/** The part of a turn that ends with each step. */
const ENDS: Partial<Record<TurnStep, TurnPart>> = {
  planned: 'planner',
  played: 'player',
  committed: 'guardkit',
  verified: 'gates',
  judged: 'coach',
};

function partOf({ step, data }: DoneStep): TurnPart | undefined {
  return step === 'cancelled' ? TURN_PARTS.find((part) => part === data.role) : ENDS[step];
}

/** A turn's time and cost by part, as far as its steps record them. */
export function turnSpent(turn: TurnState, all: readonly DoneStep[]): TurnSpent {
  const steps = all.filter((step) => step.turn === turn.turn_number);
  const seconds = emptyParts();
  for (const [index, step] of steps.entries()) {
    const part = partOf(step);
    const before = steps[index - 1];
    if (part && before) seconds[part] += elapsed(before.at, step.at);
  }
  const known = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  const used = (part: TurnPart) => sumUsage(stepUsages(steps.filter((step) => partOf(step) === part)));
  const told = turn.completed_at === null ? sumUsage(stepUsages(steps)) : turnRecord(turn);
  return {
    turn: turn.turn_number,
    seconds: Math.max(known, turn.duration_seconds ?? 0),
    usd: told.cost_usd,
    inputTokens: told.input_tokens,
    outputTokens: told.output_tokens,
    parts: parts((part) => ({ seconds: seconds[part], usd: used(part).cost_usd })),
  };
}

export function sumSpent(turns: readonly TurnSpent[]): Omit<TurnSpent, 'turn'> {
  const money = (costs: readonly (number | null)[]) => {
    const known = costs.filter((cost) => cost !== null);
    return known.length === 0 ? null : sumUsd(known);
  };
  return {
    seconds: total(turns.map(({ seconds }) => seconds)),
    usd: money(turns.map(({ usd }) => usd)),
    inputTokens: total(turns.map(({ inputTokens }) => inputTokens)),
    outputTokens: total(turns.map(({ outputTokens }) => outputTokens)),
    parts: parts((part) => ({
      seconds: total(turns.map((turn) => turn.parts[part].seconds)),
      usd: money(turns.map((turn) => turn.parts[part].usd)),
    })),
  };
}

function elapsed(from: string, to: string): number {
  // The clock may have been set back.
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}

function parts<Value>(of: (part: TurnPart) => Value): Record<TurnPart, Value> {
  return {
    planner: of('planner'),
    player: of('player'),
    gates: of('gates'),
    coach: of('coach'),
    guardkit: of('guardkit'),
  };
}

function emptyParts(): Record<TurnPart, number> {
  return parts(() => 0);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
