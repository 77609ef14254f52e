import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { LOCAL_SETTINGS } from '../../../src/enforcement/install/settings-file.ts';
import { use } from '../../orchestration/drivers/driver-benches.ts';
import { CLAUDE, ClaudeMachine, done } from './claude-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const TOOL = 'mcp__notes__write_note';

describe.skipIf(!CLAUDE)('a person’s session of Claude Code', () => {
  it('applies the guards to MCP tools', async () => {
    const machine = new ClaudeMachine();
    await machine.wire();
    const notes = machine.sandbox.path('notes');
    const servers = { notes: { command: 'node', args: [NOTES], env: { NOTES_FILE: notes } } };
    const file = machine.sandbox.write('servers.json', JSON.stringify({ mcpServers: servers }));
    await machine.run(
      [use(TOOL, { text: 'forbidden', path: LOCAL_SETTINGS }), use(TOOL, { text: 'allowed' }), done],
      ['--mcp-config', file, '--allowedTools', TOOL],
    );
    expect(readFileSync(notes, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([['claude', TOOL, 'protected-set']]);
  });

  it('is reported as unguarded if it ran without hooks', async () => {
    const machine = new ClaudeMachine();
    await machine.wire();
    await machine.run([done]);
    expect((await machine.doctor()).sessions).toBeUndefined();
    await machine.run([done], ['--settings', '{"disableAllHooks": true}']);
    expect((await machine.doctor()).sessions).toMatchObject({ outcome: 'absent', code: 'ran-unguarded' });
  });
});

describe.skipIf(!CLAUDE)('Claude Code refuses an action when GuardKit', () => {
  it.each([
    ['exits with code 1', 'process.exitCode = 1'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['kills its launcher', 'process.kill(process.ppid, "SIGKILL")'],
    ['sleeps past its deadline', 'setTimeout(() => {}, 60_000)'],
    ['exits with code 2 without a reason', 'process.exitCode = 2'],
    ['prints broken JSON', 'process.stdout.write(\'{"hookSpecificOutput": {oops\')'],
    ['prints text', 'process.stdout.write("All is well")'],
    ['is missing', undefined],
  ])('%s', async (_, program) => {
    const machine = new ClaudeMachine();
    await machine.wire();
    const file = machine.sandbox.write('crashing.cjs', program ?? '');
    const dataFolder = machine.sandbox.home;
    writeLauncher({ node: process.execPath, program: file, dataFolder });
    if (program === undefined) rmSync(launcherPath(dataFolder));
    // The same hook before actions with a shorter deadline, and no others.
    const settings = join(machine.project, LOCAL_SETTINGS);
    const { hooks, ...rest } = JSON.parse(readFileSync(settings, 'utf8'));
    const [group] = hooks.PreToolUse;
    const PreToolUse = [{ ...group, hooks: [{ ...group.hooks[0], timeout: 2 }] }];
    writeFileSync(settings, JSON.stringify({ ...rest, hooks: { PreToolUse } }));
    const { server } = await machine.run([use('Bash', { command: 'echo x > ran.txt' }), done]);
    const asked = server.requests.filter(({ tools }) => tools.length > 0);
    expect(asked.length).toBeGreaterThan(0);
    expect(machine.exists('ran.txt')).toBe(false);
  });
});
