import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownPluginText, sharedPluginText } from '../../../src/enforcement/install/opencode-plugin.ts';
import { OPENCODE_PLUGIN } from '../../../src/enforcement/install/wire-opencode.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const init = async (...args: string[]) =>
  JSON.parse((await sandbox.guardkit(['init', '--no-try', ...args, '--json'], { in: 'shop' })).stdout);
const uninstall = (...agents: string[]) =>
  sandbox.guardkit(['uninstall', ...agents.flatMap((name) => ['--agent', name])], {
    in: 'shop',
    person: true,
    input: 'y\n',
  });
const read = () => readFileSync(sandbox.path('shop', OPENCODE_PLUGIN), 'utf8');
const isThere = () => existsSync(sandbox.path('shop', OPENCODE_PLUGIN));
const tier = async () =>
  JSON.parse((await sandbox.guardkit(['status', '--json'], { in: 'shop' })).stdout).protection.tier;

describe('init for OpenCode', () => {
  it('writes the plugin and nothing of other agents, and uninstall removes it', async () => {
    expect(await init('--agent', 'opencode')).toMatchObject({ agents: ['opencode'] });
    expect(read()).toBe(ownPluginText(sandbox.home));
    expect(existsSync(sandbox.path('shop', '.claude'))).toBe(false);
    await uninstall('opencode');
    expect(isThere()).toBe(false);
  });

  further('writes a version for the team, which stays one', async () => {
    await init('--agent', 'opencode', '--shared');
    expect(read()).toBe(sharedPluginText());
    expect(read()).not.toContain(sandbox.home);
    await init('--agent', 'opencode');
    expect(read()).toBe(sharedPluginText());
  });

  it('never overwrites or removes a plugin of somebody else', async () => {
    sandbox.write(`shop/${OPENCODE_PLUGIN}`, 'export const Mine = async () => ({});\n');
    const { stdout } = await sandbox.guardkit(['init', '--no-try', '--agent', 'opencode', '--json'], {
      in: 'shop',
    });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'wiring.settings-unreadable' } });
    await uninstall('opencode');
    expect(read()).toContain('Mine');
  });

  further('wraps commands as long as one of the agents needs the wrapper', async (context) => {
    await bubblewrap(context);
    await init('--agent', 'opencode', '--agent', 'claude');
    expect(await tier()).toBe('kernel');
    await uninstall('claude');
    expect(await tier()).toBe('kernel');
    await uninstall('opencode');
    expect(await tier()).toBe('off');
  });
});
