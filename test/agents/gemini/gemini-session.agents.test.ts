import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { GEMINI_SETTINGS, withGeminiHooks } from '../../../src/enforcement/install/wire-gemini.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { outputOf, run } from './gemini-acts.ts';
import { done, GEMINI, GeminiMachine } from './gemini-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const FORBIDDEN = '.gemini/commands/x.toml';

const STOP_GUARD = `id: verified-first
summary: Nothing is done before its tests have passed.
kinds: [stop]
requires: tests
reason: The work is not verified.
guidance: Run guardkit verify first.
`;

describe.skipIf(GEMINI === undefined)('a person’s session of Gemini CLI', () => {
  it('refuses forbidden edits by shell and by edit tool, lets allowed ones through, and records both', async () => {
    const machine = new GeminiMachine();
    await machine.wire();
    machine.trust();
    const { exitCode } = await machine.run([
      [run(`mkdir -p .gemini/commands; echo x > ${FORBIDDEN}`)],
      [outputOf({ write: FORBIDDEN, content: 'x' })],
      [
        {
          call: 'replace',
          args: { file_path: GEMINI_SETTINGS, instruction: 'x', old_string: 'BeforeTool', new_string: 'x' },
        },
      ],
      [outputOf({ write: 'src/new.js', content: 'export {};\n' })],
      [run('echo 1 > src/other.js')],
      // The same once more, since calls have no ids.
      [run('echo 1 > src/other.js')],
      done,
    ]);
    expect(exitCode).toBe(0);
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect(readFileSync(join(machine.project, GEMINI_SETTINGS), 'utf8')).toContain('BeforeTool');
    expect([machine.exists('src/new.js'), machine.exists('src/other.js')]).toEqual([true, true]);
    expect(machine.refusals()).toEqual([
      ['gemini', 'run_shell_command', 'protected-set'],
      ['gemini', 'write_file', 'protected-set'],
      ['gemini', 'replace', 'protected-set'],
    ]);
  });

  it('applies the same guards to MCP tools', async () => {
    const machine = new GeminiMachine();
    const env = { NOTES_FILE: machine.sandbox.path('notes') };
    machine.settings({ mcpServers: { notes: { command: 'node', args: [NOTES], env } } });
    await machine.wire();
    machine.trust();
    await machine.run([
      [{ call: 'mcp_notes_write_note', args: { text: 'forbidden', path: GEMINI_SETTINGS } }],
      [{ call: 'mcp_notes_write_note', args: { text: 'allowed' } }],
      done,
    ]);
    expect(readFileSync(env.NOTES_FILE, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([['gemini', 'mcp_notes_write_note', 'protected-set']]);
  });

  it('runs commands in GuardKit’s sandbox, and its own policies see the original commands', async (context) => {
    await bubblewrap(context);
    const machine = new GeminiMachine();
    await machine.wire();
    machine.trust();
    const rule = ['[[rule]]', 'toolName = "run_shell_command"', 'commandPrefix = "touch denied.txt"'];
    const policy = [...rule, 'decision = "deny"', 'priority = 900', ''].join('\n');
    machine.sandbox.write('home/.gemini/policies/own.toml', policy);
    // Not recognizable as an edit of a protected file.
    machine.sandbox.write('shop/sneak.py', "open('.gem' + 'ini/x', 'w')\n");
    const sneak = 'python3 sneak.py 2>/dev/null || echo 1 > src/refused.txt';
    await machine.run([[run(sneak)], [run('touch denied.txt')], done]);
    expect([machine.exists('.gemini/x'), machine.exists('src/refused.txt')]).toEqual([false, true]);
    expect(machine.exists('denied.txt')).toBe(false);
  });

  it('applies the same guards to a subagent', async () => {
    const machine = new GeminiMachine();
    machine.sandbox.write(
      'home/.gemini/agents/helper.md',
      '---\nname: helper\ndescription: Helps\n---\nYou help.\n',
    );
    machine.settings({ experimental: { enableAgents: true } });
    await machine.wire();
    machine.trust();
    const asked = { parent: 0, child: 0 };
    const write = (path: string) => [outputOf({ write: path, content: 'x' })];
    const scripts = {
      parent: [[{ call: 'invoke_agent', args: { agent_name: 'helper', prompt: 'SUBTASK' } }], done],
      child: [
        write(FORBIDDEN),
        write('src/sub.js'),
        [{ call: 'complete_task', args: { result: 'The part is done.' } }],
      ],
    };
    await machine.run(({ body }) => {
      const who = body.includes('You help.') ? 'child' : 'parent';
      const script = scripts[who];
      asked[who] += 1;
      return script[Math.min(asked[who], script.length) - 1] ?? done;
    });
    expect(asked.child).toBeGreaterThan(1);
    expect([machine.exists(FORBIDDEN), machine.exists('src/sub.js')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([['gemini', 'write_file', 'protected-set']]);
  });

  it('is sent back to work once, and not again', async () => {
    const machine = new GeminiMachine();
    machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
    machine.sandbox.git('shop', 'add', '-A');
    machine.sandbox.commit('shop', 'Guard');
    await machine.wire();
    machine.trust();
    const { server } = await machine.run([done, [{ text: 'It cannot be verified.' }]]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toContain('The work is not verified.');
  });

  it('is reported by doctor as unguarded until the folder is trusted', async () => {
    const machine = new GeminiMachine();
    await machine.wire();
    expect(await machine.doctor()).toMatchObject({
      'gemini-settings': { outcome: 'pass' },
      'gemini-hooks': { outcome: 'pass' },
      'gemini-trust': { outcome: 'fail', code: 'folder-untrusted' },
    });
    machine.trust();
    expect((await machine.doctor())['gemini-trust']).toMatchObject({ outcome: 'pass' });
  });
});

describe.skipIf(GEMINI === undefined)('Gemini CLI refuses an action when GuardKit', () => {
  it.each([
    ['exits with code 1', 'process.exitCode = 1'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['kills its launcher', 'process.kill(process.ppid, "SIGKILL")'],
    ['sleeps past its deadline', 'setTimeout(() => {}, 60_000)'],
    ['exits with code 2 without a reason', 'process.exitCode = 2'],
    ['prints broken JSON', 'process.stdout.write(\'{"decision": "deny\')'],
    ['prints text', 'process.stdout.write("All is well")'],
    ['is missing', undefined],
  ])('%s', async (_, program) => {
    const machine = new GeminiMachine();
    await machine.wire();
    machine.trust();
    const file = machine.sandbox.write('crashing.cjs', program ?? '');
    const dataFolder = machine.sandbox.home;
    writeLauncher({ node: process.execPath, program: file, dataFolder });
    if (program === undefined) rmSync(launcherPath(dataFolder));
    // The same command with a shorter deadline.
    const refusing = `'${launcherPath(dataFolder)}' gemini --deadline-2 || exit 2`;
    const letting = 'true';
    const hooks = withGeminiHooks({}, { refusing, stopping: letting, letting, beginning: letting });
    writeFileSync(join(machine.project, GEMINI_SETTINGS), JSON.stringify(hooks));
    const { server } = await machine.run([[run('echo x > ran.txt')], done]);
    expect(server.requests).toHaveLength(2);
    expect(machine.exists('ran.txt')).toBe(false);
  });
});
