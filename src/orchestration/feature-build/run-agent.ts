import { setTimeout } from 'node:timers/promises';
import { type GuardedOutcome, UNTOUCHED } from '../../enforcement/driven/driven-run.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { AgentDriver, AgentRequest, AgentResult, AgentUsage } from '../drivers/agent-driver.ts';
import { runGuarded } from '../drivers/run-guarded.ts';
import type { BuildEvent } from './build-event.ts';

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

export interface AgentRun extends AgentResult {
  /** Of all tries together. */
  usage: AgentUsage;
  guarded: GuardedOutcome;
}

export interface Patience {
  emit(event: BuildEvent): void;
  now(): number;
}

/** Runs an agent; where it meets a rate limit, waits until that is over and tries again. */
export async function runAgent(
  driver: AgentDriver,
  request: AgentRequest,
  { emit, now }: Patience,
): Promise<AgentRun> {
  const call = { task: request.taskId, turn: request.turn, role: request.role };
  const spent: AgentUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };
  let session = request.session;
  for (let tries = 0; ; tries++) {
    emit({ type: 'agent_began', ...call, driver: driver.name });
    const result = await runGuarded(driver, { ...request, session });
    addUsage(spent, result.usage);
    session = result.session ?? session;
    const guarded = request.guards?.outcome() ?? UNTOUCHED;
    const { end, usage } = result;
    emit({
      type: 'agent_ended',
      ...call,
      end: end.type,
      why: 'why' in end ? end.why : undefined,
      usage,
      ...guarded,
    });
    if (end.type === 'locked_out') throw lockedOut(driver.name, end.why);
    if (result.end.type !== 'rate_limited') return { ...result, session, usage: spent, guarded };
    const until = waitEnd(result.end.resetsAt, now(), tries);
    emit({ type: 'waiting', task: request.taskId, turn: request.turn, why: result.end.why, until });
    if (!(await waitUntil(until, now, request.signal)))
      return { end: { type: 'cancelled' }, session, usage: spent, guarded };
  }
}

/** Not the feature's failure: it would be that of every other one too. */
function lockedOut(name: string, why: string): GuardKitError {
  return new GuardKitError({
    code: 'driver.locked-out',
    kind: 'outside',
    message: `The ${name} agent cannot use its account: ${why.replace(/\.$/, '')}.`,
    hint: 'Log in to it as the one who runs GuardKit; for Claude Code start `claude` and type /login. What was done is kept.',
  });
}

/** As announced; where nothing is, or it is over and the limit holds all the same, longer with every try. */
function waitEnd(announced: number | undefined, now: number, tries: number): number {
  const ours = now + Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  if (announced === undefined || !Number.isFinite(announced)) return ours;
  return announced > now || tries === 0 ? announced : ours;
}

/** False if it was cut short. */
async function waitUntil(
  until: number,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    // In pieces: a timer of more than 24 days would end at once.
    for (let left = until - now(); ; left = until - now()) {
      await setTimeout(Math.min(Math.max(0, left), LONGEST_WAIT_MS), undefined, signal ? { signal } : {});
      if (until <= now()) return true;
    }
  } catch {
    // Safe: only the signal ends it early, and the caller hears of that.
    return false;
  }
}

function addUsage(sum: AgentUsage, { inputTokens, outputTokens, costUsd }: AgentUsage): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  if (costUsd !== null) sum.costUsd = (sum.costUsd ?? 0) + costUsd;
}
