import { playerReportSchema } from '../../domain/entities/agent-answers.ts';
import { NO_USAGE } from '../drivers/agent-driver.ts';
import { estimateTokens } from '../prompts/fit-prompt.ts';
import { agentRequest, askAgent, describeEnd, parseAnswer } from './ask-agent.ts';
import type { TaskContext } from './build-context.ts';
import { hasPlan, readPlan, requirePlanFile, writePlan } from './plan-file.ts';
import { guardedData, usedData } from './step-usage.ts';
import type { PlayedStep, TurnPlan } from './turn-plan.ts';
import { planningPromptFor, playerPromptFor } from './turn-prompts.ts';
import { announce, endIfStopped, recordStep } from './turn-steps.ts';

/** The Player needs a plan; if the planner makes none, the Player does not run. */
export async function runPlayer(context: TaskContext, plan: TurnPlan): Promise<PlayedStep> {
  const noPlan = hasPlan(context) ? undefined : await makePlan(context, plan);
  const played = noPlan === undefined ? await play(context, plan) : notPlayed(noPlan, plan);
  recordStep(context, plan, 'played', played);
  return played;
}

/** Undefined if a plan exists afterwards, else the reason. The next turn tries again. */
async function makePlan(context: TaskContext, plan: TurnPlan): Promise<string | undefined> {
  const prompt = await planningPromptFor(context);
  announce(context, plan, 'planner', prompt);
  const before = await context.worktree.leave();
  const asked = agentRequest(context, plan, 'planner', prompt.text);
  const run = await askAgent(context, context.player, asked);
  await endIfStopped(context, plan, 'planner', run, before);
  // The planner may have created a link there.
  requirePlanFile({ ...context, requirePlan: false });
  const { end } = run;
  const answer = end.type === 'answered' && typeof end.answer === 'string' ? end.answer : '';
  const fault = answer.trim() !== '' && !hasPlan(context) ? writePlan(context, answer) : undefined;
  recordStep(context, plan, 'planned', {
    end: end.type,
    prompt_tokens: estimateTokens(prompt.text),
    ...usedData(run.usage),
    ...guardedData(run.guarded),
  });
  if (hasPlan(context)) return undefined;
  return `no plan was made: ${fault ?? describeEnd(end)}`;
}

async function play(context: TaskContext, plan: TurnPlan): Promise<PlayedStep> {
  const prompt = await playerPromptFor(context, plan, readPlan(context));
  announce(context, plan, 'player', prompt);
  const before = await context.worktree.leave();
  const asked = { ...agentRequest(context, plan, 'player', prompt.text), session: plan.session };
  const run = await askAgent(context, context.player, asked);
  await endIfStopped(context, plan, 'player', run, before);
  const answer = parseAnswer(playerReportSchema, run.end);
  return {
    report: answer.ok ? answer.value : null,
    no_report: answer.ok ? '' : answer.why,
    session: run.session ?? null,
    prompt_tokens: estimateTokens(prompt.text),
    ...usedData(run.usage),
    ...guardedData(run.guarded),
  };
}

function notPlayed(why: string, { session }: TurnPlan): PlayedStep {
  return { report: null, no_report: why, session: session ?? null, ...usedData(NO_USAGE) };
}
