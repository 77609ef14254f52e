import * as z from 'zod';
import type { JsonObject } from '../../domain/json/json.ts';
import type { GuardedOutcome } from '../../enforcement/driven/driven-run.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';

/** Usage in the data of a step that ran an agent. */
const usedSchema = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cost_usd: z.number().nullable(),
});

/** Refusals and restored files in the data of a step. */
const guardedSchema = z.object({
  refused: z.number().catch(0).default(0),
  put_back: z.array(z.string()).catch([]).default([]),
});

interface StepData {
  data: JsonObject;
}

export type UsedData = z.infer<typeof usedSchema>;

export function usedData({ inputTokens, outputTokens, costUsd }: AgentUsage): UsedData {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

/** The usage of a step; undefined for a step without an agent. */
export function stepUsage({ data }: StepData): AgentUsage | undefined {
  const used = usedSchema.safeParse(data).data;
  return used && { inputTokens: used.input_tokens, outputTokens: used.output_tokens, costUsd: used.cost_usd };
}

/** The usage of these steps, including cancelled ones. */
export function stepUsages(steps: readonly StepData[]): AgentUsage[] {
  return steps.map(stepUsage).filter((usage) => usage !== undefined);
}

export function guardedData({ refused, restored }: GuardedOutcome): z.infer<typeof guardedSchema> {
  return { refused, put_back: restored };
}

/** Refusals and restored files of all these steps. */
export function stepsGuarded(steps: readonly StepData[]): GuardedOutcome {
  const all = steps.map(({ data }) => guardedSchema.parse(data));
  return {
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    restored: [...new Set(all.flatMap(({ put_back }) => put_back))],
  };
}
