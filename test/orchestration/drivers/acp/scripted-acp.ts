import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acpDriver } from '../../../../src/orchestration/drivers/acp/acp-driver.ts';
import type { AgentRequest } from '../../../../src/orchestration/drivers/agent-driver.ts';
import { DrivenProject } from '../../../support/driven-project.ts';
import { ANSWER } from '../agent-request.ts';

const AGENT = fileURLToPath(new URL('../../../support/acp-agent.js', import.meta.url));
const driver = acpDriver({ command: ['node', AGENT], env: ['ACP_SCRIPT'] });
export const answer = { say: JSON.stringify(ANSWER) };
export const edit = (path: string) => ({
  tool: { kind: 'edit', title: 'Edit', locations: [{ path }] },
  write: path,
});
export const run = (command: string) => ({
  tool: { kind: 'execute', title: 'Run', rawInput: { command } },
  run: command,
});

/** Drives the scripted agent, with steps for each prompt. */
export async function drive(prompts: readonly object[][], given: Partial<AgentRequest> = {}) {
  const project = new DrivenProject();
  const env = { ...project.personEnv(), ACP_SCRIPT: JSON.stringify(prompts) };
  const driven = await project.drive(driver, { env, ...given });
  return { ...driven, project, exists: (path: string) => existsSync(join(project.folder, path)) };
}
