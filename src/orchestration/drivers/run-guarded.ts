import type { AgentDriver, AgentRequest, AgentResult } from './agent-driver.ts';

/** Runs an agent under its guards, whether or not it asks them by itself. */
export function runGuarded(driver: AgentDriver, request: AgentRequest): Promise<AgentResult> {
  const { guards, role, taskId, turn } = request;
  if (!guards || driver.asksGuards) return driver.run(request);
  return guards.asOneAction(`the ${role}'s run for ${taskId}, turn ${turn}`, () => driver.run(request));
}
