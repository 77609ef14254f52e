import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../src/enforcement/install/hook-launcher.ts';
import { launcherParts } from '../../src/enforcement/install/own-package.ts';
import { Sandbox } from '../support/cli.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

const sandbox = new Sandbox();
let agent: WrappedAgent;

beforeAll(async () => {
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
  sandbox.git('shop', 'add', '-A');
  sandbox.commit('shop', 'Begin');
  await sandbox.guardkit(['init', '--yes', '--no-agent'], { in: 'shop' });
  await sandbox.guardkit(['feature', 'add', 'Carts', '--criterion', 'It works'], { in: 'shop' });
  writeLauncher(launcherParts(sandbox.home));
});
beforeEach(() => {
  agent?.endBrokers('SIGKILL');
});
afterAll(() => {
  agent?.endBrokers('SIGKILL');
  sandbox.cleanup();
});

/** A hook as the agent program runs it, outside the wrapper. */
function hook(payload: Record<string, unknown>, env: Record<string, string> = {}): number | null {
  const input = JSON.stringify({
    session_id: 'session-1',
    cwd: sandbox.path('shop'),
    permission_mode: 'default',
    ...payload,
  });
  const { status } = spawnSync(launcherPath(sandbox.home), ['claude'], {
    input,
    cwd: sandbox.path('shop'),
    env: { ...sandbox.env, CLAUDE_PROJECT_DIR: sandbox.path('shop'), ...env },
  });
  return status;
}

const BEGAN = { hook_event_name: 'SessionStart', source: 'startup' };
const use = (command: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: `tool-${command}`,
  tool_input: { command },
});

it('a session starts no broker if commands are not wrapped', () => {
  expect(hook(BEGAN)).toBe(0);
  expect(new WrappedAgent(sandbox, 'shop').brokers()).toEqual([]);
});

it('a session starts the broker, and the next one finds it', () => {
  agent = new WrappedAgent(sandbox, 'shop');
  expect(hook(BEGAN)).toBe(0);
  const brokers = agent.brokers();
  expect(brokers).toHaveLength(1);
  expect(hook({ ...BEGAN, session_id: 'session-2' })).toBe(0);
  expect(agent.brokers()).toEqual(brokers);
});

it('a command that runs GuardKit has a broker, even if the session outlived the first one', async () => {
  await expect.poll(() => agent.brokers()).toEqual([]);
  expect(hook(use('ls'))).toBe(0);
  expect(agent.brokers()).toEqual([]);
  expect(hook(use('guardkit feature next'))).toBe(0);
  expect(agent.brokers()).toHaveLength(1);
  expect((await agent.guardkit(['feature', 'next'])).exitCode).toBe(0);
});

it('a hook that the broker itself runs starts no broker', async () => {
  await expect.poll(() => agent.brokers()).toEqual([]);
  hook(BEGAN, { GUARDKIT_INSIDE_AGENT: '1' });
  expect(agent.brokers()).toEqual([]);
});

it('init starts the broker for sessions that already run', async () => {
  await expect.poll(() => agent.brokers()).toEqual([]);
  const { exitCode } = await sandbox.program(['init', '--yes', '--agent', 'claude'], { in: 'shop' });
  expect(exitCode).toBe(0);
  expect(agent.brokers()).toHaveLength(1);
});
