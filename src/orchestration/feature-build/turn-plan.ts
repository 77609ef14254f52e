import * as z from 'zod';
import { coachVerdictSchema, playerReportSchema } from '../../domain/entities/agent-answers.ts';
import type { TurnState } from '../../domain/entities/turn-state.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { TurnMode } from '../turns/turn-lifecycle.ts';

/** A turn's parameters. */
export interface TurnPlan {
  number: number;
  /** The last turn allowed in this attempt. */
  lastNumber: number;
  mode: TurnMode;
  /** Turns that the agents are shown, the oldest first. */
  history: readonly TurnState[];
  /** The Player's session in this task, to continue. */
  session: string | undefined;
  /** Set for a turn that was cut off after its commit. */
  committed: CommittedTurnSoFar | undefined;
}

export interface CommittedTurnSoFar {
  commit: string;
  played: PlayedStep;
  /** The start of the turn, not of this process. */
  startedAt: string | null;
  /** The Coach's answer, if the turn was cut off after it; the Coach is not asked twice. */
  judged: JudgedStep | undefined;
}

/** Missing in steps of older versions. */
const guarded = { refused: z.number().optional(), put_back: z.array(z.string()).optional() };

/** Estimated length of the prompt. */
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

/** The record of the Player's run. */
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

/** The record of the Coach's run. */
export type JudgedStep = z.infer<typeof judgedSchema>;

export function readJudgedStep(data: JsonObject): JudgedStep | undefined {
  return judgedSchema.safeParse(data).data;
}
