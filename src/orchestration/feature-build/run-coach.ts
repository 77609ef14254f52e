import {
  type CoachVerdict,
  coachVerdictSchema,
  type PlayerReport,
} from '../../domain/entities/agent-answers.ts';
import { inWorkspace, type Verified } from '../../verification/verify.ts';
import { estimateTokens } from '../prompts/fit-prompt.ts';
import type { TurnEvidence } from '../turns/turn-evidence.ts';
import { agentRequest, agentSandboxFor, askAgent, parseAnswer } from './ask-agent.ts';
import type { TaskContext } from './build-context.ts';
import { guardedData, usedData } from './step-usage.ts';
import type { JudgedStep, TurnPlan } from './turn-plan.ts';
import { coachPromptFor } from './turn-prompts.ts';
import { announce, endIfStopped, recordStep } from './turn-steps.ts';

export interface CoachInput {
  report: PlayerReport;
  verified: Verified;
  evidence: TurnEvidence;
  honesty: readonly string[];
  commit: string;
}

/** Exactly one of the two is set. */
export interface CoachAnswer {
  verdict: CoachVerdict | undefined;
  noVerdict: string | undefined;
}

/** The Coach judges in a read-only checkout. */
export function runCoach(context: TaskContext, plan: TurnPlan, input: CoachInput): Promise<CoachAnswer> {
  return inWorkspace(workspaceRequest(context), input.commit, async ({ workspace }) => {
    await workspace.place(input.verified.verification.tree, input.commit, 'nothing');
    const prompt = await coachPromptFor(context, plan, input);
    announce(context, plan, 'coach', prompt);
    const asked = { ...agentRequest(context, plan, 'coach', prompt.text), folder: workspace.folder };
    const sandbox = agentSandboxFor(context, [], [workspace.folder]);
    const run = await askAgent(context, context.coach, { ...asked, sandbox });
    await endIfStopped(context, plan, 'coach', run);
    const answer = parseAnswer(coachVerdictSchema, run.end);
    const judged: JudgedStep = {
      verdict: answer.ok ? answer.value : null,
      no_verdict: answer.ok ? '' : answer.why,
      prompt_tokens: estimateTokens(prompt.text),
      ...usedData(run.usage),
      ...guardedData(run.guarded),
    };
    recordStep(context, plan, 'judged', judged);
    return coachAnswer(judged);
  });
}

export function coachAnswer({ verdict, no_verdict }: JudgedStep): CoachAnswer {
  return verdict ? { verdict, noVerdict: undefined } : { verdict: undefined, noVerdict: no_verdict };
}

/** The request to run or read something for a task. */
export function workspaceRequest({ verification, home, env, sandbox, signal }: TaskContext) {
  return { ...verification, home, env, sandbox, signal, emit: () => {} };
}
