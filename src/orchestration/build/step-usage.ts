import * as z from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentUsage } from '../drivers/agent-driver.ts';

/** As it stands in the data of a step that an agent was run for. */
const usedSchema = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cost_usd: z.number().nullable(),
});

interface StepData {
  data: JsonObject;
}

export type UsedData = z.infer<typeof usedSchema>;

export function usedData({ inputTokens, outputTokens, costUsd }: AgentUsage): UsedData {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

/** What the agent of a step used; undefined for a step that needs none. */
export function stepUsage({ data }: StepData): AgentUsage | undefined {
  const used = usedSchema.safeParse(data).data;
  return used && { inputTokens: used.input_tokens, outputTokens: used.output_tokens, costUsd: used.cost_usd };
}

/** What every agent of these steps used, those that were cancelled too. */
export function stepUsages(steps: readonly StepData[]): AgentUsage[] {
  return steps.map(stepUsage).filter((usage) => usage !== undefined);
}
