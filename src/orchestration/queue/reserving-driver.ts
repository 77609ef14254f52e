import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresDatabase } from '../../store/postgres/postgres-database.ts';
import { type Reservation, type ReservationRequest, reserve, settle } from '../../store/shared/budgets.ts';
import { type AgentDriver, type AgentResult, NO_USAGE } from '../drivers/agent-driver.ts';
import { waitOut } from './failed-build.ts';

/** Reserves money before each run of the agent and settles it afterwards, so that workers share one budget. */
export function reservingDriver(
  driver: AgentDriver,
  database: PostgresDatabase,
  asked: ReservationRequest,
): AgentDriver {
  return {
    ...driver,
    async run(request): Promise<AgentResult> {
      const reserved = await reserveInTime(database, asked, request.signal);
      if (!reserved) return { end: { type: 'cancelled' }, session: request.session, usage: NO_USAGE };
      if (!reserved.ok)
        return {
          end: { type: 'out_of_funds', why: reserved.why },
          session: request.session,
          usage: NO_USAGE,
        };
      const { id, usd } = reserved;
      if (id === undefined) return driver.run(request);
      const budgetUsd = Math.min(request.budgetUsd ?? usd, usd);
      const result = await driver.run({ ...request, budgetUsd });
      // The agent's work must not be lost because the server is away. An unsettled reservation counts as spent.
      const { signal } = request;
      await waitOut(() => settle(database, id, result.usage.costUsd), { signal }).catch(() => undefined);
      const wasShort = usd < asked.usd && budgetUsd === usd;
      if (result.end.type !== 'over_budget' || !wasShort) return result;
      return { ...result, end: { type: 'out_of_funds', why: result.end.why } };
    },
  };
}

const LOOK_AGAIN_MS = 1000;

/** Waits for other agents if only their reservations use up the budget. Undefined if the signal ended the wait. */
async function reserveInTime(
  database: PostgresDatabase,
  asked: ReservationRequest,
  signal: AbortSignal | undefined,
): Promise<Reservation | undefined> {
  while (!signal?.aborted) {
    const reserved = await reserve(database, asked);
    if (reserved.ok || !reserved.isPending) return reserved;
    await sleep(LOOK_AGAIN_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
  return undefined;
}
