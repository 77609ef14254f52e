import type { TurnState } from '../../domain/turn-state.ts';
import type { TurnStep } from '../../store/ledger/kinds/turn-step.ts';
import type { DoneStep } from '../build/build-record.ts';
import { readPlayedStep } from '../build/turn-plan.ts';
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
    if (part && before) seconds[part] += elapsed(before.at, at, turn.started_at);
  }
  const said = steps.findLast(({ step }) => step === 'played')?.data;
  const player = (said && readPlayedStep(said)?.cost_usd) ?? null;
  const coach = cost_usd !== null && player !== null ? Math.max(0, cost_usd - player) : null;
  const known = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  const usd: Partial<Record<TurnPart, number | null>> = { player, coach };
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

/** A turn that was cut off and gone on with does not count the time in between: it starts again when it goes on. */
function elapsed(from: string, to: string, startedAt: string | null): number {
  const end = Date.parse(to);
  const again = startedAt === null ? Number.NaN : Date.parse(startedAt);
  const start = again <= end ? Math.max(Date.parse(from), again) : Date.parse(from);
  const seconds = (end - start) / 1000;
  // A clock may have been set back.
  return seconds > 0 ? seconds : 0;
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
