import { GuardKitError } from '../../guardkit-error.ts';
import { explainAccess } from '../../platform/files/explain-access.ts';
import type { AgentHooks } from '../agents/agent-hooks.ts';
import type { HookAnswer, HookEvent } from './hook-event.ts';

/** What the process of a hook ends with: the agent's program reads nothing else. */
export interface HookOutput {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface HookQuestion {
  agent: AgentHooks;
  /** What the agent handed over, as text. */
  payload(): string;
  env: NodeJS.ProcessEnv;
  handle(event: HookEvent): Promise<HookAnswer>;
}

/** Exit code 2 with the reason on standard error is what every agent takes as a refusal. */
export const REFUSED = 2;

/** Answers one event in the agent's own words. Whatever goes wrong on the way refuses what can be refused. */
export async function answerHook({ agent, payload, env, handle }: HookQuestion): Promise<HookOutput> {
  let eventName: string | undefined;
  try {
    const told: unknown = JSON.parse(payload());
    eventName = agent.eventName(told);
    const event = agent.read(told, env);
    if (!event) throw unreadable('it is no event of this agent');
    const json = agent.write(event, await handle(event));
    return {
      exitCode: 0,
      stdout: Object.keys(json).length > 0 ? `${JSON.stringify(json)}\n` : '',
      stderr: '',
    };
  } catch (error) {
    const why = describe(error instanceof SyntaxError ? unreadable('it is no JSON') : error);
    // An event that nobody can name may be one that could be stopped.
    if (eventName === undefined || agent.canBeStopped(eventName))
      return refusal(`GuardKit could not judge this, so it is refused: ${why}`);
    const said = `GuardKit does not work: ${why}`;
    return { exitCode: 0, stdout: `${JSON.stringify({ systemMessage: said })}\n`, stderr: `${said}\n` };
  }
}

export function refusal(said: string): HookOutput {
  return { exitCode: REFUSED, stdout: '', stderr: `${said}\n` };
}

function describe(thrown: unknown): string {
  const error = explainAccess(thrown) ?? thrown;
  const known = error instanceof GuardKitError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = known
    ? error.hint
    : 'Run `guardkit doctor` in a terminal of your own; it says what is broken.';
  return `${message}\n${hint}`;
}

export function unreadable(why: string): GuardKitError {
  return new GuardKitError({
    code: 'hook.unreadable-payload',
    kind: 'input',
    message: `What the agent sent to the hook cannot be read: ${why}.`,
    hint: 'The agent’s version may be newer than this guardkit: upgrade it, then run `guardkit doctor`.',
  });
}
