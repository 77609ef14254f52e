import { rmSync, statSync } from 'node:fs';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { commandEnvironment } from '../../platform/processes/command-environment.ts';
import { describeExit } from '../../platform/processes/process-failures.ts';
import { runCommand } from '../../platform/processes/run-command.ts';
import type { AgentDriver, AgentEnd, AgentRequest, AgentResult } from './agent-driver.ts';
import { activityLine } from './agent-driver.ts';
import { agentSandbox, judgeWrite } from './agent-sandbox.ts';
import type { CoachStep, PlayerStep, Scenario } from './scenario.ts';

const DEFAULT_PLAN =
  '# Plan\n\nThe scenario has no plan. Do the task and prove each criterion with a test.\n';

type Step = PlayerStep & CoachStep;

/** Plays a scenario without a model; its writes, deletes and commands are real. */
export function scriptDriver(scenario: Scenario, clock: Clock = systemClock): AgentDriver {
  /** Steps whose rate limit was already reported; the next run of the same turn continues. */
  const limited = new Set<string>();

  const play = async (step: Step | undefined, request: AgentRequest): Promise<AgentEnd> => {
    const { role, taskId, turn } = request;
    if (request.signal?.aborted) return { type: 'cancelled' };
    if (role === 'planner') return { type: 'answered', answer: findPlan(scenario, taskId) };
    if (!step)
      return { type: 'unanswered', why: `the scenario has no ${role} step in turn ${turn} of ${taskId}` };
    const key = JSON.stringify([taskId, turn, role]);
    if (step.fail === 'rate_limit' && !limited.has(key)) {
      limited.add(key);
      return rateLimited(step, clock());
    }
    const stopped = role === 'player' || role === 'initializer' ? await work(step, request) : undefined;
    return stopped ?? endOf(step, request);
  };

  return {
    name: 'script',
    async run(request): Promise<AgentResult> {
      const step = findStep(scenario, request);
      return {
        end: await play(step, request),
        session: request.session ?? `script-${request.taskId}-${request.role}`,
        usage: { inputTokens: 0, outputTokens: 0, costUsd: step?.cost_usd ?? 0 },
      };
    },
  };
}

function findPlan(scenario: Scenario, task: string): string {
  return ownTask(scenario, task)?.plan ?? scenario.plan ?? DEFAULT_PLAN;
}

/** The last listed turn repeats. */
function findStep(scenario: Scenario, { role, taskId, turn }: AgentRequest): Step | undefined {
  if (role === 'planner') return undefined;
  if (role === 'initializer') return scenario.initializer?.[turn - 1] ?? scenario.initializer?.at(-1);
  const turns = ownTask(scenario, taskId)?.turns ?? scenario.turns ?? [];
  return (turns[turn - 1] ?? turns.at(-1))?.[role];
}

function ownTask({ tasks }: Scenario, task: string) {
  return tasks && Object.hasOwn(tasks, task) ? tasks[task] : undefined;
}

/** Undefined if the step ran to its end. */
async function work(step: PlayerStep, request: AgentRequest): Promise<AgentEnd | undefined> {
  const deadline = performance.now() + request.timeoutMs;
  for (const [path, content] of Object.entries(step.write ?? {}))
    change('write', path, request, (real) => writeFileAtomic(real, content, modeOf(real)));
  for (const path of step.delete ?? [])
    change('delete', path, request, (real) => rmSync(real, { recursive: true, force: true }));
  for (const command of step.run ?? []) {
    const left = deadline - performance.now();
    if (left <= 0) return timedOut(request);
    const stopped = await runOne(command, left, request);
    if (stopped) return stopped;
  }
  return undefined;
}

/** A refused or failed change does not end the step: an agent would see the error and continue. */
function change(what: string, path: string, request: AgentRequest, carryOut: (real: string) => void): void {
  const judged = judgeWrite(path, request);
  if (!judged.ok) {
    request.onActivity(activityLine(what, `${path}: refused, ${judged.why}`));
    return;
  }
  try {
    carryOut(judged.path);
    request.onActivity(activityLine(what, path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    request.onActivity(activityLine(what, `${path}: ${why}`));
  }
}

async function runOne(
  command: string,
  timeoutMs: number,
  request: AgentRequest,
): Promise<AgentEnd | undefined> {
  const sandbox = agentSandbox(request);
  const result = await runCommand(command, {
    cwd: request.folder,
    env: commandEnvironment(request.env, { sandboxed: sandbox !== undefined }),
    timeoutMs,
    ...(sandbox ? { sandbox } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  request.onActivity(activityLine(`${describeExit(result)}:`, command));
  if (result.aborted) return { type: 'cancelled' };
  return result.timedOut ? timedOut(request) : undefined;
}

function endOf(step: Step, { role, turn, budgetUsd, timeoutMs }: AgentRequest): AgentEnd {
  const { cost_usd = 0, fail } = step;
  if (budgetUsd !== undefined && cost_usd > budgetUsd)
    return { type: 'over_budget', why: `the run cost $${cost_usd}, but only $${budgetUsd} was left` };
  if (fail === 'crash') return { type: 'crashed', why: 'set in the scenario' };
  if (fail === 'locked_out') return { type: 'locked_out', why: 'set in the scenario' };
  if (fail === 'timeout') return timedOut({ timeoutMs });
  const answer = role === 'coach' ? step.verdict : step.report;
  if (answer !== undefined) return { type: 'answered', answer };
  return { type: 'unanswered', why: `the scenario has no answer for the ${role} in turn ${turn}` };
}

function rateLimited({ resets_in_seconds }: Step, now: number): AgentEnd {
  const resetsAt = resets_in_seconds === undefined ? undefined : now + resets_in_seconds * 1000;
  return { type: 'rate_limited', why: 'set in the scenario', resetsAt };
}

function timedOut({ timeoutMs }: Pick<AgentRequest, 'timeoutMs'>): AgentEnd {
  return { type: 'timed_out', why: `no answer within ${Math.round(timeoutMs / 100) / 10} s` };
}

/** Keeps the executable bit. */
function modeOf(path: string): number | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : mode & 0o777;
}
