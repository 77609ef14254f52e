import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/hook-launcher.ts';
import { CODEX_HOOKS, withCodexHooks } from '../../../src/enforcement/install/wire-codex.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import type { ModelReply } from '../../support/responses-server.ts';
import { CODEX, CodexMachine, done, patch, shell } from './codex-machine.ts';

const NOTES = fileURLToPath(new URL('../../support/notes-server.js', import.meta.url));
const FORBIDDEN = '.codex/x.toml';

const STOP_GUARD = `id: verified-first
summary: Nothing is done before its tests have passed.
kinds: [stop]
requires: tests
reason: The work is not verified.
guidance: Run guardkit verify first.
`;

describe.skipIf(CODEX === undefined)('a person’s session of Codex', () => {
  it('refuses forbidden edits by shell and by patch, lets allowed ones through, and records both', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    machine.trust();
    const { events } = await machine.run([
      [shell(`echo x > ${FORBIDDEN}`)],
      [patch(`*** Add File: ${FORBIDDEN}`, '+x')],
      [shell(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${FORBIDDEN}\n+x\n*** End Patch\nEOF`)],
      [patch('*** Add File: src/new.js', '+export {};')],
      [shell('echo 1 > src/other.js')],
      done,
    ]);
    expect(machine.exists(FORBIDDEN)).toBe(false);
    expect([machine.exists('src/new.js'), machine.exists('src/other.js')]).toEqual([true, true]);
    expect(machine.refusals()).toEqual([
      ['codex', 'Bash', 'protected-set'],
      ['codex', 'apply_patch', 'protected-set'],
      ['codex', 'Bash', 'protected-set'],
    ]);
    expect(events.filter(({ item }) => item?.type === 'agent_message').map(({ item }) => item?.text)).toEqual(
      ['All done.'],
    );
  });

  it('refuses tool calls from code that the model writes', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    machine.trust();
    const attempt = (call: string) =>
      `try { text(JSON.stringify(await ${call})) } catch (e) { text(String(e)) }`;
    const code = [
      attempt(`tools.exec_command({cmd: 'echo x > ${FORBIDDEN}'})`),
      attempt(`tools.apply_patch('*** Begin Patch\\n*** Add File: ${FORBIDDEN}\\n+x\\n*** End Patch\\n')`),
      attempt("tools.exec_command({cmd: 'echo 1 > src/other.js'})"),
    ].join('\n');
    await machine.run([[{ custom: 'exec', input: code }], done], { model: 'gpt-6-sol' });
    expect([machine.exists(FORBIDDEN), machine.exists('src/other.js')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([
      ['codex', 'Bash', 'protected-set'],
      ['codex', 'apply_patch', 'protected-set'],
    ]);
  });

  it('applies the same guards to a subagent', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    machine.trust();
    const collaboration = { namespace: 'collaboration' };
    const parent: ModelReply[] = [
      [
        {
          call: 'spawn_agent',
          ...collaboration,
          args: { task_name: 'part', message: 'SUBTASK', fork_turns: 'none' },
        },
      ],
      [{ call: 'wait_agent', ...collaboration, args: { timeout_ms: 30_000 } }],
      done,
    ];
    const code = `try { await tools.exec_command({cmd: 'echo x > ${FORBIDDEN}'}) } catch (e) { text(String(e)) }
await tools.exec_command({cmd: 'echo 1 > src/sub.js'})`;
    const child: ModelReply[] = [[{ custom: 'exec', input: code }], [{ text: 'The part is done.' }]];
    const answered = { parent: 0, child: 0 };
    await machine.run(
      ({ body }) => {
        const who = body.includes('"text":"Go on"') ? 'parent' : 'child';
        const replies = who === 'parent' ? parent : child;
        const reply = replies[Math.min(answered[who], replies.length - 1)] ?? done;
        answered[who] += 1;
        return reply;
      },
      { model: 'gpt-6-sol' },
    );
    expect([machine.exists(FORBIDDEN), machine.exists('src/sub.js')]).toEqual([false, true]);
    expect(machine.refusals()).toEqual([['codex', 'Bash', 'protected-set']]);
  });

  it('refuses a shell that the model would type into without a hook', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    machine.trust();
    const typed = { call: 'write_stdin', args: { session_id: 1, chars: 'echo x > typed.txt\n' } };
    await machine.run([[shell('bash --norc', { tty: true, yield_time_ms: 300 })], [typed], done]);
    expect(machine.exists('typed.txt')).toBe(false);
    expect(machine.refusals()).toEqual([['codex', 'Bash', 'unseen-effects']]);
  });

  it('applies the same guards to MCP tools', async () => {
    const machine = new CodexMachine();
    const notes = machine.sandbox.path('notes');
    machine.configure(
      `[mcp_servers.notes]\ncommand = "node"\nargs = [${JSON.stringify(NOTES)}]\n` +
        `default_tools_approval_mode = "approve"\n[mcp_servers.notes.env]\nNOTES_FILE = ${JSON.stringify(notes)}\n`,
    );
    await machine.wire();
    machine.trust();
    const note = (args: object) =>
      `try { await tools.mcp__notes__write_note(${JSON.stringify(args)}) } catch (e) { text(String(e)) }`;
    const code = [note({ text: 'forbidden', path: FORBIDDEN }), note({ text: 'allowed' })].join('\n');
    await machine.run([[{ custom: 'exec', input: code }], done], { model: 'gpt-6-sol' });
    expect(readFileSync(notes, 'utf8')).toBe('allowed\n');
    expect(machine.refusals()).toEqual([['codex', 'mcp__notes__write_note', 'protected-set']]);
  });

  it('runs commands in Codex’s sandbox, which makes protected files read-only', async (context) => {
    await bubblewrap(context);
    const codexHome = mkdtempSync('/var/tmp/guardkit-codex-');
    onTestFinished(() => rmSync(codexHome, { recursive: true, force: true }));
    const machine = new CodexMachine(codexHome);
    await machine.wire();
    machine.trust();
    // Not recognizable as an edit of a protected file.
    const target = join(machine.sandbox.home, 'x');
    machine.sandbox.write('shop/sneak.py', `open(${JSON.stringify(target)}.replace('Z', ''), 'w')\n`);
    const command = 'python3 sneak.py 2>/dev/null || echo refused-by-$((1 + 1)); echo 1 > src/other.js';
    const { server } = await machine.run([[shell(command)], done], { ownSandbox: true });
    expect(server.requests[1]?.body).toContain('refused-by-2');
    expect(existsSync(target)).toBe(false);
    expect(machine.exists('src/other.js')).toBe(true);
  });

  it('is sent back to work once', async () => {
    const machine = new CodexMachine();
    machine.sandbox.write('shop/.guardkit/guards/stop.yaml', STOP_GUARD);
    machine.sandbox.git('shop', 'add', '-A');
    machine.sandbox.commit('shop', 'Guard');
    await machine.wire();
    machine.trust();
    const { server } = await machine.run([done, [{ text: 'It cannot be verified.' }]]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toContain('The work is not verified.');
  });

  it('is unguarded without the person’s trust, which doctor and status report', async () => {
    const machine = new CodexMachine();
    await machine.wire();
    await machine.run([[shell('echo x > unseen.txt')], done]);
    expect(machine.exists('unseen.txt')).toBe(true);
    expect(await machine.doctor()).toMatchObject({
      'codex-settings': { outcome: 'pass' },
      'codex-hooks': { outcome: 'pass' },
      'codex-trust': { outcome: 'fail' },
      sessions: { outcome: 'absent', code: 'ran-unguarded' },
    });
    machine.trust();
    expect((await machine.doctor())['codex-trust']).toMatchObject({ outcome: 'pass' });
    // A guarded session is not added to the unguarded one.
    await machine.run([[shell('echo x > seen.txt')], done]);
    const { stdout } = await machine.sandbox.program(['status', '--json'], {
      in: 'shop',
      env: machine.env(),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      unguarded: [{ agent: 'codex', title: 'Codex' }],
      next: expect.arrayContaining(['guardkit doctor']),
    });
  });
});

describe.skipIf(CODEX === undefined)('Codex refuses an action when GuardKit', () => {
  it.each([
    ['exits with code 1', 'process.exitCode = 1'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['kills its launcher', 'process.kill(process.ppid, "SIGKILL")'],
    ['sleeps past its deadline', 'setTimeout(() => {}, 60_000)'],
    ['exits with code 2 without a reason', 'process.exitCode = 2'],
    ['prints broken JSON', 'process.stdout.write(\'{"hookSpecificOutput": {oops\')'],
    ['prints text', 'process.stdout.write("All is well")'],
    ['exits with code 2 and a reason', 'process.stderr.write("no"); process.exitCode = 2'],
    ['is missing', undefined],
  ])('%s', async (_, program) => {
    const machine = new CodexMachine();
    await machine.wire();
    const file = machine.sandbox.write('crashing.cjs', program ?? '');
    const dataFolder = machine.sandbox.home;
    writeLauncher({ node: process.execPath, program: file, dataFolder });
    if (program === undefined) rmSync(launcherPath(dataFolder));
    // The same command with a shorter deadline.
    const launcher = `'${launcherPath(dataFolder)}' codex`;
    const letting = 'true';
    const refusing = `${launcher} --deadline-2 || exit 2`;
    const hooks = withCodexHooks({}, { refusing, stopping: letting, letting, beginning: letting });
    writeFileSync(join(machine.project, CODEX_HOOKS), JSON.stringify(hooks));
    machine.trust();
    const { exitCode, server } = await machine.run([[shell('echo x > ran.txt')], done]);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 2 });
    expect(machine.exists('ran.txt')).toBe(false);
  });
});
