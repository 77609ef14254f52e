import type { AgentUsage } from '../drivers/agent-driver.ts';
import type { TurnRecord } from './turn-record.ts';

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
