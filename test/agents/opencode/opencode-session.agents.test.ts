import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { pluginText } from '../../../src/enforcement/install/opencode-plugin.ts';
import { OPENCODE_PLUGIN } from '../../../src/enforcement/install/wire-opencode.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { outputOf, run } from './opencode-acts.ts';
import { done, OPENCODE, OpencodeMachine } from './opencode-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const FORBIDDEN = '.opencode/command/x.md';

describe.skipIf(OPENCODE === undefined)('a person’s session of OpenCode', () => {
  it('refuses forbidden edits by shell and by edit tools, lets allowed ones through, and records both', async () => {
    const machine = new OpencodeMachine();
    await machine.wire();
    const patch = `*** Begin Patch\n*** Add File: opencode.json\n+{"plugin": []}\n*** End Patch\n`;
    const { exitCode, stdout } = await machine.run([
      [run(`mkdir -p .opencode/command; echo x > ${FORBIDDEN}`)],
      [outputOf({ write: FORBIDDEN, content: 'x' })],
      [{ call: 'edit', args: { filePath: OPENCODE_PLUGIN, oldString: 'deny', newString: 'allow' } }],
      [outputOf({ write: 'opencode.json', content: '{}' })],
      [{ call: 'apply_patch', args: { patchText: patch } }],
      [outputOf({ write: 'src/new.js', content: 'export {};\n' })],
      [{ call: 'edit', args: { filePath: 'src/new.js', oldString: 'not in it', newString: 'x' } }],
      [run('echo 1 > src/other.js')],
      done,
    ]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('All done.')]);
    expect([machine.exists(FORBIDDEN), machine.exists('opencode.json')]).toEqual([false, false]);
    expect(readFileSync(join(machine.project, OPENCODE_PLUGIN), 'utf8')).toContain("'deny'");
    expect([machine.exists('src/new.js'), machine.exists('src/other.js')]).toEqual([true, true]);
    // This model has no tool apply_patch; OpenCode reports the call as invalid.
    expect(machine.refusals()).toEqual([
      ['opencode', 'bash', 'protected-set'],
      ['opencode', 'write', 'protected-set'],
      ['opencode', 'edit', 'protected-set'],
      ['opencode', 'write', 'protected-set'],
    ]);
  });

  it('gets the rules and the reason of a refusal', async () => {
    const machine = new OpencodeMachine();
    await machine.wire();
    const { server } = await machine.run([[outputOf({ write: FORBIDDEN, content: 'x' })], done]);
    expect(server.requests[0]?.body).toContain('GuardKit');
    expect(server.requests[1]?.body).toContain('protected-set');
  });

  it('applies the same guards to a subagent', async () => {
    const machine = new OpencodeMachine();
    await machine.wire();
    const args = { description: 'Help', prompt: 'SUBTASK', subagent_type: 'general' };
    await machine.run(({ body }) => {
      const isChild = body.includes('SUBTASK') && !body.includes('Go on');
      const asked = body.includes('call-');
      if (isChild) return asked ? done : [outputOf({ write: FORBIDDEN, content: 'x' })];
      return asked ? done : [{ call: 'task', args }];
    });
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect(machine.refusals()).toEqual([['opencode', 'write', 'protected-set']]);
  });

  it('applies the same guards to MCP tools', async () => {
    const machine = new OpencodeMachine();
    await machine.wire();
    const environment = { NOTES_FILE: machine.sandbox.path('notes') };
    const mcp = { notes: { type: 'local', command: ['node', NOTES], environment, enabled: true } };
    await machine.run(
      [
        [{ call: 'notes_write_note', args: { text: 'forbidden', path: OPENCODE_PLUGIN } }],
        [{ call: 'notes_write_note', args: { text: 'allowed' } }],
        done,
      ],
      { settings: { mcp } },
    );
    expect(readFileSync(environment.NOTES_FILE, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([['opencode', 'notes_write_note', 'protected-set']]);
  });

  it('runs commands in GuardKit’s sandbox, whichever shell the person chose', async (context) => {
    await bubblewrap(context);
    const machine = new OpencodeMachine();
    await machine.wire();
    // Not recognizable as an edit of a protected file.
    const script = "open('.open' + 'code/x', 'w')\n";
    const { stdout } = await machine.run(
      [
        [outputOf({ write: 'src/sneak.py', content: script })],
        [run('python3 src/sneak.py 2>/dev/null || echo refused-by-$((1 + 1)); echo "<$SHELL>"')],
        done,
      ],
      { settings: { shell: '/bin/sh' } },
    );
    expect(machine.exists('.opencode/x')).toBe(false);
    expect(stdout).toContain('refused-by-2');
    expect(stdout).toContain('</bin/bash>');
  });

  it('is reported by doctor with and without its plugin', async () => {
    const machine = new OpencodeMachine();
    expect((await machine.doctor())['opencode-hooks']).toBeUndefined();
    await machine.wire();
    expect(await machine.doctor()).toMatchObject({
      'opencode-settings': { outcome: 'pass' },
      'opencode-hooks': { outcome: 'pass' },
    });
    expect((await machine.doctor({ OPENCODE_PURE: '1' }))['opencode-trust']).toMatchObject({
      outcome: 'fail',
      code: 'hooks-off',
    });
    writeFileSync(join(machine.project, OPENCODE_PLUGIN), '// Written by guardkit.\nexport {};\n');
    expect((await machine.doctor())['opencode-settings']).toMatchObject({ outcome: 'fail' });
  });

  it('is reported as unguarded if it ran without the plugin', async () => {
    const machine = new OpencodeMachine();
    await machine.wire();
    await machine.run([done], { env: { OPENCODE_PURE: '1' } });
    expect(await machine.doctor()).toMatchObject({ sessions: { outcome: 'absent', code: 'ran-unguarded' } });
  });
});

describe.skipIf(OPENCODE === undefined)('OpenCode refuses an action when GuardKit', () => {
  it.each([
    ['exits with code 1', 'process.exitCode = 1'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['kills its launcher', 'process.kill(process.ppid, "SIGKILL")'],
    ['sleeps past its deadline', 'setTimeout(() => {}, 60_000)'],
    ['exits with code 2 without a reason', 'process.exitCode = 2'],
    ['prints broken JSON', 'process.stdout.write(\'{"decision": "deny\')'],
    ['prints an unknown decision', 'process.stdout.write(\'{"decision": "block"}\')'],
    ['prints text', 'process.stdout.write("All is well")'],
    ['is missing', undefined],
  ])('%s', async (_, program) => {
    const machine = new OpencodeMachine();
    await machine.wire();
    const file = machine.sandbox.write('crashing.cjs', program ?? '');
    const dataFolder = machine.sandbox.home;
    writeLauncher({ node: process.execPath, program: file, dataFolder });
    if (program === undefined) rmSync(launcherPath(dataFolder));
    // The same command with a shorter deadline.
    const refusing = `'${launcherPath(dataFolder)}' opencode --deadline-2 || exit 2`;
    const letting = 'true';
    const commands = { refusing, stopping: letting, letting, beginning: letting };
    const text = pluginText({ commands, wrapperIn: undefined });
    writeFileSync(join(machine.project, OPENCODE_PLUGIN), text);
    const { server } = await machine.run([[run('echo x > ran.txt')], done]);
    expect(server.requests).toHaveLength(2);
    expect(machine.exists('ran.txt')).toBe(false);
  });
});
