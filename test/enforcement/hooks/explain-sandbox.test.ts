import { expect, it } from 'vitest';
import { INSIDE_AGENT_VARIABLE } from '../../../src/platform/processes/wrapper-profile.ts';
import { HookedProject } from '../../support/hooked-project.ts';

/** A project whose commands run in a sandbox. */
class SandboxedProject extends HookedProject {
  override agentEnv(): Record<string, string> {
    return { ...super.agentEnv(), [INSIDE_AGENT_VARIABLE]: 'yes' };
  }

  async fails(command: string, error: string): Promise<{ agent: string; person: string }> {
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: command };
    await this.hook({ hook_event_name: 'PreToolUse', ...call });
    const { json } = await this.hook({ hook_event_name: 'PostToolUseFailure', ...call, error });
    const { additionalContext: agent = '' } = json.hookSpecificOutput ?? {};
    return { agent, person: json.systemMessage ?? '' };
  }
}

const NODE = 'Exit code 1\n> husky\nError: ';

it.each([
  ['sudo make install', 'sudo: effective uid is not 0', 'shell.outside', true],
  ['npx lefthook install', 'open .git/hooks/x: Read-only file system', 'read-only', true],
  ['npm install', `${NODE}EROFS: read-only file system, unlink '.husky/_/h'`, 'HUSKY=0', true],
  ['npm ci', `${NODE}ENOENT: no such file or directory, mkdir '.husky/_'`, 'HUSKY=0', true],
  ['npm test', 'Exit code 1\nEROFS is handled', 'read-only', false],
])('both sides learn why the sandbox made %s fail with “%s”', async (command, error, told, isTold) => {
  const project = new SandboxedProject();
  await project.begin();
  const { agent, person } = await project.fails(command, error);
  expect([agent.includes(told), person.includes(told)]).toEqual([isTold, isTold]);
});
