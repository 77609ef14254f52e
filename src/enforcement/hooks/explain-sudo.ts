import type { HookContext } from './hook-context.ts';
import type { HookAnswer } from './hook-event.ts';

const NO_NEW_PRIVILEGES = /no new privileges|effective uid is not 0|must be setuid root|setuid root/i;

const WHY =
  'sudo cannot work here: GuardKit runs the agent’s commands in a sandbox without new privileges. ' +
  'Run the command in your own terminal, or list `sudo` under `shell.outside` in .guardkit/config.yaml and commit it.';

/** Adds the reason to a `sudo` that the wrapper made fail. */
export function explainSudo(
  answer: HookAnswer,
  { wrapped }: HookContext,
  failure: string | undefined,
): HookAnswer {
  if (!wrapped || failure === undefined || !/\bsudo\b/.test(failure) || !NO_NEW_PRIVILEGES.test(failure))
    return answer;
  return {
    ...answer,
    context: [answer.context ?? '', WHY].filter((text) => text !== '').join('\n'),
    notice: [answer.notice ?? '', `GuardKit: ${WHY}`].filter((text) => text !== '').join('\n'),
  };
}
