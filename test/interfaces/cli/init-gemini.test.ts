import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GEMINI_EVENTS, GEMINI_SETTINGS } from '../../../src/enforcement/install/wire-gemini.ts';
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
const read = () => readFileSync(sandbox.path('shop', GEMINI_SETTINGS), 'utf8');
const hooks = () => JSON.parse(read()).hooks;

describe('init for Gemini CLI', () => {
  it('writes a hook for every event, with timeouts in milliseconds above the deadlines', async () => {
    expect(await init('--agent', 'gemini')).toMatchObject({ agents: ['gemini'] });
    expect(Object.keys(hooks()).sort()).toEqual([...GEMINI_EVENTS].sort());
    const launcher = `'${sandbox.home}/bin/guardkit-hook' gemini`;
    expect(hooks().BeforeTool).toEqual([
      {
        matcher: '*',
        hooks: [{ type: 'command', command: `${launcher} --deadline-50 || exit 2`, timeout: 60_000 }],
      },
    ]);
    expect(hooks().AfterAgent[0].hooks[0]).toEqual({
      type: 'command',
      command: `${launcher} --deadline-3500 || exit 2`,
      timeout: 3_600_000,
    });
    expect(existsSync(sandbox.path('shop', '.claude'))).toBe(false);
  });

  it('keeps a person’s own settings to the byte, and uninstall leaves the file as it was', async () => {
    const own =
      '{"ui": {"theme": "Ada"}, "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "say done"}]}]}}';
    sandbox.write(`shop/${GEMINI_SETTINGS}`, own);
    await init('--agent', 'gemini');
    expect(hooks().AfterAgent).toHaveLength(2);
    await sandbox.guardkit(['uninstall', '--agent', 'gemini'], { in: 'shop', person: true, input: 'y\n' });
    expect(read()).toBe(own);
  });

  further('can be installed beside the hooks of other agents', async () => {
    expect(await init('--agent', 'gemini', '--agent', 'codex')).toMatchObject({
      agents: ['codex', 'gemini'],
    });
    await sandbox.guardkit(['uninstall', '--agent', 'gemini'], { in: 'shop', person: true, input: 'y\n' });
    expect(existsSync(sandbox.path('shop', '.codex', 'hooks.json'))).toBe(true);
    expect(existsSync(sandbox.path('shop', GEMINI_SETTINGS))).toBe(false);
  });
});
