import type { TurnState } from '../../domain/turn-state.ts';
import type { TurnStep } from '../../store/ledger/kinds/turn-step.ts';
import type { DoneStep } from '../build/build-record.ts';
import { readJudgedStep, readPlayedStep } from '../build/turn-plan.ts';
import { turnRecord } from '../turns/turn-record.ts';

/** Who or what a turn's time goes to. */
export const TURN_PARTS = ['planner', 'player', 'gates', 'coach', 'guardkit'] as const;

export type TurnPart = (typeof TURN_PARTS)[number];

export interface PartSpent {
  seconds: number;
  /** Null where nothing was said of it. */
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

/** Which part of a turn ends with a step. */
const ENDS: Partial<Record<TurnStep, TurnPart>> = {
  planned: 'planner',
  played: 'player',
  committed: 'guardkit',
  verified: 'gates',
  judged: 'coach',
};

/** Where a turn's time and money went, as far as its steps say. */
export function turnSpent(turn: TurnState, all: readonly DoneStep[]): TurnSpent {
  const steps = all.filter((step) => step.turn === turn.turn_number);
  const { cost_usd, input_tokens, output_tokens } = turnRecord(turn);
  const seconds = emptyParts();
  for (const [index, { step, at }] of steps.entries()) {
    const part = ENDS[step];
    const before = steps[index - 1];
    if (part && before) seconds[part] += elapsed(before.at, at);
  }
  const data = (name: TurnStep) => steps.findLast(({ step }) => step === name)?.data;
  const played = data('played');
  const judged = data('judged');
  const player = (played && readPlayedStep(played)?.cost_usd) ?? null;
  const coach = (judged && readJudgedStep(judged)?.cost_usd) ?? null;
  // Nobody else is paid.
  const planner = data('planned') && cost_usd !== null ? cost_usd - (player ?? 0) - (coach ?? 0) : null;
  const known = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  const usd: Partial<Record<TurnPart, number | null>> = {
    planner: planner && Math.max(0, planner),
    player,
    coach,
  };
  return {
    turn: turn.turn_number,
    seconds: Math.max(known, turn.duration_seconds ?? 0),
    usd: cost_usd ?? player,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    parts: parts((part) => ({ seconds: seconds[part], usd: usd[part] ?? null })),
  };
}

/** All turns together. */
export function sumSpent(turns: readonly TurnSpent[]): Omit<TurnSpent, 'turn'> {
  const money = (costs: readonly (number | null)[]) => {
    const known = costs.filter((cost) => cost !== null);
    return known.length === 0 ? null : total(known);
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
  // A clock may have been set back.
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
