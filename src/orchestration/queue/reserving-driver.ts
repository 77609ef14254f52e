import { GuardKitError } from '../../guardkit-error.ts';
import type { PostgresDatabase } from '../../store/postgres/postgres-database.ts';
import { type ReservationRequest, reserve, settle } from '../../store/shared/budgets.ts';
import type { AgentDriver } from '../drivers/agent-driver.ts';

/** Reserves money before each run of the agent and settles it afterwards, so that workers share one budget. */
export function reservingDriver(
  driver: AgentDriver,
  database: PostgresDatabase,
  asked: ReservationRequest,
): AgentDriver {
  return {
    ...driver,
    async run(request) {
      const reserved = await reserve(database, asked);
      if (!reserved.ok) throw overBudget(reserved.why);
      if (reserved.id === undefined) return driver.run(request);
      const budgetUsd = Math.min(request.budgetUsd ?? reserved.usd, reserved.usd);
      const result = await driver.run({ ...request, budgetUsd });
      await settle(database, reserved.id, result.usage.costUsd);
      return result;
    },
  };
}

/** Thrown, not counted as a failed attempt: every feature of the project would fail the same way. */
function overBudget(why: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.budget',
    kind: 'refused',
    message: `No agent was started: ${why}.`,
    hint: 'Raise it with `guardkit queue init --budget-usd N`.',
  });
}
