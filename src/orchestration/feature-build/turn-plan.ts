import * as z from 'zod';
import { coachVerdictSchema, playerReportSchema } from '../../domain/entities/agent-answers.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { TurnMode } from '../turns/turn-lifecycle.ts';

/** What is settled of a turn before it begins. */
export interface TurnPlan {
  number: number;
  /** The last that this attempt may take. */
  lastNumber: number;
  mode: TurnMode;
  /** Turns that the agents are shown, the oldest first. */
  history: readonly TurnState[];
  /** Of the Player's session so far in this task. */
  session: string | undefined;
  /** Where a turn that was cut off goes on: its work is on its ref already. */
  committed: CommittedTurnSoFar | undefined;
}

export interface CommittedTurnSoFar {
  commit: string;
  played: PlayedStep;
  /** Of the whole turn, not of the process that ends it. */
  startedAt: string | null;
  /** Where the Coach was heard before the turn was cut off; it is not asked twice. */
  judged: JudgedStep | undefined;
}

/** What the guards made of a run; steps of older versions do not say. */
const guarded = { refused: z.number().optional(), put_back: z.array(z.string()).optional() };

/** About how long the prompt was. */
const prompted = { prompt_tokens: z.number().optional() };

const playedSchema = z.object({
  report: playerReportSchema.nullable(),
  no_report: z.string(),
  session: z.string().nullable(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.number().nullable(),
  ...guarded,
  ...prompted,
});

/** What is recorded of the Player's run. */
export type PlayedStep = z.infer<typeof playedSchema>;

export function readPlayedStep(data: JsonObject): PlayedStep | undefined {
  return playedSchema.safeParse(data).data;
}

const judgedSchema = z.object({
  verdict: coachVerdictSchema.nullable(),
  no_verdict: z.string(),
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cost_usd: z.number().nullable().default(null),
  ...guarded,
  ...prompted,
});

/** What is recorded of the Coach's run. */
export type JudgedStep = z.infer<typeof judgedSchema>;

export function readJudgedStep(data: JsonObject): JudgedStep | undefined {
  return judgedSchema.safeParse(data).data;
}
