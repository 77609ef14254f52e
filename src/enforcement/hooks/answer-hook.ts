import { GuardKitError } from '../../guardkit-error.ts';
import { explainAccess } from '../../platform/files/explain-access.ts';
import type { AgentHooks } from '../agents/agent-hooks.ts';
import type { HookAnswer, HookEvent } from './hook-event.ts';

/** All that the agent's program reads from a hook process. */
export interface HookOutput {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface HookQuestion {
  agent: AgentHooks;
  /** The agent's input, as text. */
  payload(): string;
  env: NodeJS.ProcessEnv;
  handle(event: HookEvent): Promise<HookAnswer>;
}

/** Every agent takes exit code 2, with the reason on standard error, as a refusal. */
export const REFUSED = 2;

/** Answers one event in the agent's protocol. An error refuses every event that can be refused. */
export async function answerHook({ agent, payload, env, handle }: HookQuestion): Promise<HookOutput> {
  let eventName: string | undefined;
  try {
    const input: unknown = JSON.parse(payload());
    eventName = agent.eventName(input);
    const event = agent.read(input, env);
    if (!event) throw unreadable('not an event of this agent');
    const json = agent.write(event, await handle(event));
    if (agent.accepts?.(json) === false) throw unfit();
    return {
      exitCode: 0,
      stdout: Object.keys(json).length > 0 ? `${JSON.stringify(json)}\n` : '',
      stderr: '',
    };
  } catch (error) {
    const why = describe(error instanceof SyntaxError ? unreadable('not JSON') : error);
    // An event without a readable name may be one that can be stopped.
    if (eventName === undefined || agent.canBeStopped(eventName))
      return refusal(`GuardKit could not judge this, so it is refused: ${why}`);
    const notice = `GuardKit hook failed: ${why}`;
    return { exitCode: 0, stdout: `${JSON.stringify({ systemMessage: notice })}\n`, stderr: `${notice}\n` };
  }
}

function unfit(): GuardKitError {
  return new GuardKitError({
    code: 'hook.unfit-answer',
    kind: 'outside',
    message: 'GuardKit made an answer that the agent cannot parse.',
    hint: 'This is a bug in GuardKit. Ask the person to report it.',
  });
}

export function refusal(reason: string): HookOutput {
  return { exitCode: REFUSED, stdout: '', stderr: `${reason}\n` };
}

function describe(thrown: unknown): string {
  const error = explainAccess(thrown) ?? thrown;
  const known = error instanceof GuardKitError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = known ? error.hint : 'Run `guardkit doctor` in your own terminal to find the cause.';
  return `${message}\n${hint}`;
}

export function unreadable(why: string): GuardKitError {
  return new GuardKitError({
    code: 'hook.unreadable-payload',
    kind: 'input',
    message: `Invalid hook input: ${why}.`,
    hint: 'The agent may be newer than this GuardKit: upgrade GuardKit, then run `guardkit doctor`.',
  });
}
