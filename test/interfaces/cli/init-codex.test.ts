import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookedEvents } from '../../../src/enforcement/install/claude-settings.ts';
import { timedHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';
import { CODEX_EVENTS, CODEX_HOOKS } from '../../../src/enforcement/install/wire-codex.ts';
import { Sandbox } from '../../support/cli.ts';
import { further } from '../../support/thorough.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const LOCAL = '.claude/settings.local.json';
const init = async (...args: string[]) =>
  JSON.parse((await sandbox.guardkit(['init', '--no-try', ...args, '--json'], { in: 'shop' })).stdout);
const path = (name: string) => sandbox.path('shop', name);
const read = (name: string) => readFileSync(path(name), 'utf8');
const hooks = () => JSON.parse(read(CODEX_HOOKS)).hooks;

describe('init for Codex', () => {
  it('writes a hook for every event and leaves other agents alone', async () => {
    expect(await init('--agent', 'codex')).toMatchObject({ agents: ['codex'] });
    expect(Object.keys(hooks()).sort()).toEqual([...CODEX_EVENTS].sort());
    expect(existsSync(path(LOCAL))).toBe(false);
    expect(existsSync(sandbox.path('data', 'bin', 'guardkit-hook'))).toBe(true);
  });

  it('writes definitions that never change, since Codex silently skips a changed hook', async () => {
    await init('--agent', 'codex');
    const launcher = `'${sandbox.home}/bin/guardkit-hook' codex`;
    expect(timedHookCommand(sandbox.home, 'codex').refusing).toBe(`${launcher} --deadline-50 || exit 2`);
    const refusing = { type: 'command', command: `${launcher} --deadline-50 || exit 2`, timeout: 60 };
    const stopping = { type: 'command', command: `${launcher} --deadline-3500 || exit 2`, timeout: 3600 };
    const letting = { type: 'command', command: `${launcher} --never-refuse`, timeout: 60 };
    expect(hooks()).toEqual({
      SessionStart: [{ hooks: [letting] }],
      UserPromptSubmit: [{ hooks: [letting] }],
      PreToolUse: [{ hooks: [refusing] }],
      PostToolUse: [{ hooks: [letting] }],
      SubagentStart: [{ hooks: [letting] }],
      SubagentStop: [{ hooks: [stopping] }],
      Stop: [{ hooks: [stopping] }],
      SessionEnd: [{ hooks: [{ ...letting, timeout: 3 }] }],
    });
  });

  it('keeps a person’s own hooks to the byte, and uninstall leaves the file as it was', async () => {
    const own = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}, "x": 1.0}';
    sandbox.write(`shop/${CODEX_HOOKS}`, own);
    await init('--agent', 'codex');
    expect(hooks().Stop).toHaveLength(2);
    await sandbox.guardkit(['uninstall'], { in: 'shop', person: true, input: 'y\n' });
    expect(read(CODEX_HOOKS)).toBe(own);
    expect(existsSync(sandbox.path('data', 'bin', 'guardkit-hook'))).toBe(false);
  });

  further('wires several agents at once, and uninstall can remove one of them', async () => {
    expect(await init('--agent', 'codex', '--agent', 'claude')).toMatchObject({
      agents: ['claude', 'codex'],
    });
    await sandbox.guardkit(['uninstall', '--agent', 'codex'], { in: 'shop', person: true, input: 'y\n' });
    expect(existsSync(path(CODEX_HOOKS))).toBe(false);
    expect(hookedEvents(JSON.parse(read(LOCAL))).length).toBeGreaterThan(0);
    expect(existsSync(sandbox.path('data', 'bin', 'guardkit-hook'))).toBe(true);
  });

  further('changes nothing the second time, with or without the option', async () => {
    await init('--agent', 'codex');
    const before = read(CODEX_HOOKS);
    expect(await init()).toMatchObject({ agents: ['codex'] });
    expect(read(CODEX_HOOKS)).toBe(before);
  });

  it('writes a command for the team that names no folder of this machine', async () => {
    await init('--agent', 'codex', '--shared');
    expect(read(CODEX_HOOKS)).not.toContain(sandbox.home);
    await init();
    expect(read(CODEX_HOOKS)).not.toContain(sandbox.home);
  });
});
