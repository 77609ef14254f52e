import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { QWEN_SETTINGS, withQwenHooks } from '../../../src/enforcement/install/wire-qwen.ts';
import { FAILING_PROGRAMS } from '../machine/agent-machine.ts';
import { run } from './qwen-acts.ts';
import { done, QWEN_PROGRAM, QwenMachine } from './qwen-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const FORBIDDEN = '.qwen/commands/x.md';

describe.skipIf(QWEN_PROGRAM === undefined)('a person’s session of Qwen Code', () => {
  it('refuses forbidden edits by shell and by edit tools, lets allowed ones through, and records both', async () => {
    const machine = new QwenMachine();
    await machine.wire();
    const { exitCode, server } = await machine.run([
      [run(`mkdir -p .qwen/commands; echo x > ${FORBIDDEN}`)],
      [{ call: 'write_file', args: { file_path: machine.at(FORBIDDEN), content: 'x' } }],
      [{ call: 'read_file', args: { file_path: machine.at(QWEN_SETTINGS) } }],
      [
        {
          call: 'edit',
          args: { file_path: machine.at(QWEN_SETTINGS), old_string: 'SessionStart', new_string: 'x' },
        },
      ],
      [{ call: 'tool_call', args: { name: 'monitor', arguments: { command: `echo x > ${FORBIDDEN}` } } }],
      [{ call: 'write_file', args: { file_path: machine.at('src/new.js'), content: 'export {};\n' } }],
      [run('echo 1 > src/other.js')],
      done,
    ]);
    expect(exitCode).toBe(0);
    expect(server.requests).toHaveLength(8);
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect(readFileSync(machine.at(QWEN_SETTINGS), 'utf8')).toContain('SessionStart');
    expect([machine.exists('src/new.js'), machine.exists('src/other.js')]).toEqual([true, true]);
    expect(machine.refusals()).toEqual([
      ['qwen', 'run_shell_command', 'protected-set'],
      ['qwen', 'write_file', 'protected-set'],
      ['qwen', 'edit', 'protected-set'],
      ['qwen', 'monitor', 'protected-set'],
    ]);
  });

  it('judges tool calls from code that the model writes, in its code mode', async () => {
    const machine = new QwenMachine();
    machine.settings({ tools: { codeModeOnly: true } });
    await machine.wire();
    const source = (path: string) =>
      `await tools.run_shell_command({ command: 'echo x > ${path}', is_background: false })`;
    await machine.run([
      [{ call: 'exec', args: { source: source('src/new.js') } }],
      [{ call: 'exec', args: { source: source(FORBIDDEN) } }],
      done,
    ]);
    expect([machine.exists('src/new.js'), machine.exists(FORBIDDEN)]).toEqual([true, false]);
    expect(machine.refusals()).toEqual([['qwen', 'run_shell_command', 'protected-set']]);
  });

  it('applies the same guards to subagents and MCP tools', async () => {
    const machine = new QwenMachine();
    const env = { NOTES_FILE: machine.sandbox.path('notes') };
    machine.settings({ mcpServers: { notes: { command: 'node', args: [NOTES], env, trust: true } } });
    await machine.wire();
    const ofSubagent = /"(?:text|content)":"Break it/;
    const helper = { description: 'd', prompt: 'Break it', subagent_type: 'general-purpose' };
    const acts = [
      [{ call: 'agent', args: { ...helper, run_in_background: false } }],
      [{ call: 'mcp__notes__write_note', args: { text: 'forbidden', path: QWEN_SETTINGS } }],
      [{ call: 'mcp__notes__write_note', args: { text: 'allowed' } }],
      done,
    ];
    const ofHelper = [[run(`echo x > ${FORBIDDEN}`)], done];
    await machine.run(({ body }) => (ofSubagent.test(body) ? ofHelper : acts).shift() ?? done);
    expect(readFileSync(env.NOTES_FILE, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([
      ['qwen', 'run_shell_command', 'protected-set'],
      ['qwen', 'mcp__notes__write_note', 'protected-set'],
    ]);
  });

  it('is sent back to work once, and not again', async () => {
    const machine = new QwenMachine();
    machine.guardStops();
    await machine.wire();
    const { server } = await machine.run([done, [{ text: 'It cannot be verified.' }]]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toContain('The work is not verified.');
  });

  it('is reported by doctor as guarded, unless settings switch hooks off or the folder is not trusted', async () => {
    const machine = new QwenMachine();
    await machine.wire();
    expect(await machine.doctor()).toMatchObject({
      'qwen-settings': { outcome: 'pass' },
      'qwen-hooks': { outcome: 'pass' },
      'qwen-trust': { outcome: 'pass' },
    });
    machine.settings({ disableAllHooks: true });
    expect((await machine.doctor())['qwen-trust']).toMatchObject({ outcome: 'fail', code: 'hooks-off' });
    machine.settings({ security: { folderTrust: { enabled: true } } });
    expect((await machine.doctor())['qwen-trust']).toMatchObject({ code: 'folder-untrusted' });
  });

  it('is reported as unguarded if it ran without its hooks', async () => {
    const machine = new QwenMachine();
    machine.settings({ disableAllHooks: true });
    await machine.wire();
    await machine.run([done]);
    expect((await machine.doctor()).sessions).toMatchObject({ code: 'ran-unguarded' });
  });
});

/** A machine whose hooks start this program; undefined: they start nothing. */
async function machineWith(program: string | undefined, deadline = 2) {
  const machine = new QwenMachine();
  await machine.wire();
  const file = machine.sandbox.write('crashing.cjs', program ?? '');
  const dataFolder = machine.sandbox.home;
  writeLauncher({ node: process.execPath, program: file, dataFolder });
  if (program === undefined) rmSync(launcherPath(dataFolder));
  // The same command with a shorter deadline.
  const refusing = `'${launcherPath(dataFolder)}' qwen --deadline-${deadline} || exit 2`;
  const letting = 'true';
  const hooks = withQwenHooks({}, { refusing, stopping: letting, letting, beginning: letting });
  writeFileSync(machine.at(QWEN_SETTINGS), JSON.stringify(hooks));
  return machine;
}

describe.skipIf(QWEN_PROGRAM === undefined)('Qwen Code refuses an action when GuardKit', () => {
  it.each(FAILING_PROGRAMS)('%s', async (_, program) => {
    const machine = await machineWith(program);
    const { server } = await machine.run([[run('echo x > ran.txt')], done]);
    expect(server.requests).toHaveLength(2);
    expect(machine.exists('ran.txt')).toBe(false);
  });

  it('and only then', async () => {
    const machine = await machineWith('process.exitCode = 0', 20);
    await machine.run([[run('echo x > ran.txt')], done]);
    expect(machine.exists('ran.txt')).toBe(true);
  });
});
