import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COPILOT_EVENTS, COPILOT_SETTINGS } from '../../../src/enforcement/install/wire-copilot.ts';
import { Sandbox } from '../../support/cli.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

describe('init for Copilot CLI', () => {
  it('writes a hook for every event, with timeouts in seconds, and uninstall removes the file', async () => {
    const init = ['init', '--no-try', '--agent', 'copilot', '--json'];
    const { stdout } = await sandbox.guardkit(init, { in: 'shop' });
    expect(JSON.parse(stdout)).toMatchObject({ agents: ['copilot'] });
    const path = sandbox.path('shop', COPILOT_SETTINGS);
    const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
    expect(Object.keys(hooks).sort()).toEqual([...COPILOT_EVENTS].sort());
    const command = `'${sandbox.home}/bin/guardkit-hook' copilot --deadline-50 || exit 2`;
    expect(hooks.PreToolUse).toEqual([{ matcher: '*', hooks: [{ type: 'command', command, timeout: 60 }] }]);
    expect(hooks.Stop[0].hooks[0]).toMatchObject({ timeout: 3600 });
    await sandbox.guardkit(['uninstall', '--agent', 'copilot'], { in: 'shop', person: true, input: 'y\n' });
    expect(existsSync(path)).toBe(false);
  });
});
