import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QWEN_EVENTS, QWEN_SETTINGS } from '../../../src/enforcement/install/wire-qwen.ts';
import { Sandbox } from '../../support/cli.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const init = async (...args: string[]) =>
  JSON.parse((await sandbox.guardkit(['init', '--no-try', ...args, '--json'], { in: 'shop' })).stdout);
const read = () => readFileSync(sandbox.path('shop', QWEN_SETTINGS), 'utf8');
const hooks = () => JSON.parse(read()).hooks;

describe('init for Qwen Code', () => {
  it('writes a hook for every event, with timeouts that it takes as milliseconds, and uninstall removes them', async () => {
    const own = '{"ui": {"theme": "Ada"}}';
    sandbox.write(`shop/${QWEN_SETTINGS}`, own);
    expect(await init('--agent', 'qwen')).toMatchObject({ agents: ['qwen'] });
    expect(Object.keys(hooks()).sort()).toEqual([...QWEN_EVENTS].sort());
    const launcher = `'${sandbox.home}/bin/guardkit-hook' qwen`;
    expect(hooks().PreToolUse).toEqual([
      {
        matcher: '*',
        hooks: [{ type: 'command', command: `${launcher} --deadline-50 || exit 2`, timeout: 60_000 }],
      },
    ]);
    expect(hooks().Stop[0].hooks[0]).toEqual({
      type: 'command',
      command: `${launcher} --deadline-3500 || exit 2`,
      timeout: 3_600_000,
    });
    expect(existsSync(sandbox.path('shop', '.claude'))).toBe(false);
    await sandbox.guardkit(['uninstall', '--agent', 'qwen'], { in: 'shop', person: true, input: 'y\n' });
    expect(read()).toBe(own);
  });
});
