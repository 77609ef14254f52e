import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { AgentRequest } from '../../../src/orchestration/drivers/agent-driver.ts';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const ANSWER_SCHEMA = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['implemented', 'failed'] }, summary: { type: 'string' } },
  required: ['decision'],
  additionalProperties: false,
};

export const ANSWER = { decision: 'implemented', summary: 'It {works} and says "so".' };

/** A Player's request in its own folder, and its reported activity. */
export async function agentRequest(
  given: Partial<AgentRequest> = {},
): Promise<AgentRequest & { activity: string[] }> {
  const activity: string[] = [];
  const folder = given.folder ?? temporaryFolder();
  const status = await findSandbox();
  return {
    role: 'player',
    featureId: 'FEAT-1',
    taskId: 'TASK-1',
    turn: 1,
    prompt: 'Do what the task says.',
    answerSchema: ANSWER_SCHEMA,
    access: 'write',
    sandbox: status.available
      ? { status, policy: { writable: [folder], readOnly: [], hidden: [], network: 'loopback' } }
      : undefined,
    guards: undefined,
    session: undefined,
    env: process.env,
    // The real programs are slow on a busy machine.
    timeoutMs: 150_000,
    budgetUsd: undefined,
    signal: undefined,
    onActivity: (line) => activity.push(line),
    ...given,
    folder,
    activity,
  };
}

/** A command that outlasts every test, and whether it is running, also in a sandbox. */
export function longCommand(): { text: string; isRunning(): boolean } {
  const text = `sleep 7${randomInt(1e6, 1e7)}`;
  return {
    text,
    isRunning: () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n').includes(text),
  };
}
