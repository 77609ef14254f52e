import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { COPILOT_SETTINGS, withCopilotHooks } from '../../../src/enforcement/install/wire-copilot.ts';
import { FAILING_PROGRAMS } from '../machine/agent-machine.ts';
import { patch, run } from './copilot-acts.ts';
import { COPILOT_PROGRAM, CopilotMachine, done } from './copilot-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const FORBIDDEN = '.github/hooks/x.json';

describe.skipIf(COPILOT_PROGRAM === undefined)('a person’s session of Copilot CLI', () => {
  it('refuses forbidden edits by shell and by edit tools, lets allowed ones through, and records both', async () => {
    const machine = new CopilotMachine();
    await machine.wire();
    machine.trust();
    const { exitCode, server } = await machine.run([
      [run(`mkdir -p .github/hooks; echo x > ${FORBIDDEN}`)],
      [{ call: 'create', args: { path: machine.at(FORBIDDEN), file_text: 'x' } }],
      [
        {
          call: 'edit',
          args: { path: machine.at(COPILOT_SETTINGS), old_str: 'SessionStart', new_str: 'x' },
        },
      ],
      [{ call: 'create', args: { path: machine.at('src/new.js'), file_text: 'export {};\n' } }],
      [run('echo 1 > src/other.js')],
      // The same once more, since calls have no ids.
      [run('echo 1 > src/other.js')],
      done,
    ]);
    expect(exitCode).toBe(0);
    expect(server.requests).toHaveLength(7);
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect(readFileSync(machine.at(COPILOT_SETTINGS), 'utf8')).toContain('SessionStart');
    expect([machine.exists('src/new.js'), machine.exists('src/other.js')]).toEqual([true, true]);
    expect(machine.refusals()).toEqual([
      ['copilot', 'Bash', 'protected-set'],
      ['copilot', 'Write', 'protected-set'],
      ['copilot', 'Edit', 'protected-set'],
    ]);
  });

  it('refuses forbidden patches and lets allowed ones through', async () => {
    const machine = new CopilotMachine();
    await machine.wire();
    machine.trust();
    await machine.run([patch(FORBIDDEN), patch('src/new.js'), done], 'Go on', 'gpt-5.5');
    expect([machine.exists(FORBIDDEN), machine.exists('src/new.js')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([['copilot', 'Edit', 'protected-set']]);
  });

  it('applies the same guards to subagents and MCP tools', async () => {
    const machine = new CopilotMachine();
    const env = { NOTES_FILE: machine.sandbox.path('notes') };
    const notes = { type: 'local', command: 'node', args: [NOTES], env, tools: ['*'] };
    machine.sandbox.write('home/.copilot/mcp-config.json', JSON.stringify({ mcpServers: { notes } }));
    await machine.wire();
    machine.trust();
    await machine.run([
      [
        {
          call: 'task',
          args: { description: 'd', prompt: 'Break it', agent_type: 'general-purpose', name: 'helper' },
        },
      ],
      // The subagent's part.
      [run(`echo x > ${FORBIDDEN}`)],
      done,
      [{ call: 'notes-write_note', args: { text: 'forbidden', path: COPILOT_SETTINGS } }],
      [{ call: 'notes-write_note', args: { text: 'allowed' } }],
      done,
    ]);
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect(readFileSync(env.NOTES_FILE, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([
      ['copilot', 'Bash', 'protected-set'],
      ['copilot', expect.stringMatching(/write_note$/), 'protected-set'],
    ]);
  });

  it('is sent back to work once, and not again', async () => {
    const machine = new CopilotMachine();
    machine.guardStops();
    await machine.wire();
    machine.trust();
    const { server } = await machine.run([done, [{ text: 'It cannot be verified.' }]]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toContain('The work is not verified.');
  });

  it('is guarded by the hooks of Claude Code too, which it runs', async () => {
    const machine = new CopilotMachine();
    await machine.sandbox.program(['init', '--agent', 'claude', '--no-try'], {
      in: 'shop',
      env: machine.env(),
    });
    machine.trust();
    await machine.run([
      [run(`mkdir -p .github/hooks; echo x > ${FORBIDDEN}`)],
      [run('echo 1 > ok.txt')],
      done,
    ]);
    expect([machine.exists(FORBIDDEN), machine.exists('ok.txt')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([['copilot', 'Bash', 'protected-set']]);
  });

  it('is reported by doctor as unguarded if it ran before the folder was trusted', async () => {
    const machine = new CopilotMachine();
    await machine.wire();
    expect(await machine.doctor()).toMatchObject({
      'copilot-settings': { outcome: 'pass' },
      'copilot-hooks': { outcome: 'pass' },
      'copilot-trust': { outcome: 'fail', code: 'folder-untrusted' },
    });
    await machine.run([[run('echo x > ran.txt')], done]);
    expect(machine.exists('ran.txt')).toBe(true);
    machine.trust();
    const checks = await machine.doctor();
    expect(checks['copilot-trust']).toMatchObject({ outcome: 'pass' });
    expect(checks.sessions).toMatchObject({ code: 'ran-unguarded' });
  });
});

/** A machine whose hooks start this program; undefined: they start nothing. */
async function machineWith(program: string | undefined, deadline = 2) {
  const machine = new CopilotMachine();
  await machine.wire();
  machine.trust();
  const file = machine.sandbox.write('crashing.cjs', program ?? '');
  const dataFolder = machine.sandbox.home;
  writeLauncher({ node: process.execPath, program: file, dataFolder });
  if (program === undefined) rmSync(launcherPath(dataFolder));
  // The same command with a shorter deadline.
  const refusing = `'${launcherPath(dataFolder)}' copilot --deadline-${deadline} || exit 2`;
  const letting = 'true';
  const hooks = withCopilotHooks({}, { refusing, stopping: letting, letting, beginning: letting });
  writeFileSync(machine.at(COPILOT_SETTINGS), JSON.stringify(hooks));
  return machine;
}

describe.skipIf(COPILOT_PROGRAM === undefined)('Copilot CLI refuses an action when GuardKit', () => {
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
