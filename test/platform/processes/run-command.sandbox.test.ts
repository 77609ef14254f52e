import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../../src/platform/processes/command-environment.ts';
import { describeExit } from '../../../src/platform/processes/process-failures.ts';
import { type CommandOptions, runCommand } from '../../../src/platform/processes/run-command.ts';
import { bubblewrap, runSandboxed } from '../../support/bubblewrap.ts';
import { hasEnded } from '../../support/ended.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let cwd: string;
beforeEach(({ onTestFinished }) => {
  cwd = temporaryFolder(onTestFinished);
});

function run(text: string, options: Partial<CommandOptions> = {}) {
  return runCommand(text, { cwd, env: commandEnvironment(process.env), timeoutMs: 30_000, ...options });
}

function pidIn(name: string): number {
  return Number(readFileSync(join(cwd, name), 'utf8'));
}

describe('a command', () => {
  it("is a person's own shell text, taken as it is", async () => {
    const text = `printf '%s\\n' "a  b" 'c"d' | tr a-z A-Z; pwd; exit 3 # $(not run)`;
    expect(await run(text)).toMatchObject({ stdout: `A  B\nC"D\n${cwd}\n`, exitCode: 3, sandboxed: false });
  });

  it('may start with a dash or be empty', async () => {
    expect((await run('-no-such-program')).exitCode).toBe(127);
    expect((await run('')).exitCode).toBe(0);
  });

  it('that no shell can run fails because of the environment', async () => {
    await expect(run('echo \0')).rejects.toMatchObject({ code: 'process.not-started', kind: 'outside' });
  });

  it('in a missing folder fails because of the environment', async () => {
    await expect(run('true', { cwd: join(cwd, 'none') })).rejects.toMatchObject({
      code: 'process.no-folder',
      kind: 'outside',
    });
  });

  it('takes everything that it started with it', async () => {
    await run(`setsid sh -c 'echo $$ > child; exec sleep 300' & until [ -s child ]; do sleep 0.01; done`);
    expect(hasEnded(pidIn('child'))).toBe(true);
  });

  it('that hangs is out of time', async () => {
    const result = await run('sleep 300', { timeoutMs: 500 });
    expect(describeExit(result)).toContain('0.5 s');
  });
});

describe('a command in the sandbox', () => {
  it('gives its exit code, its outputs and its log as outside', async (context) => {
    const path = join(cwd, 'log');
    const text = 'echo out; echo err >&2; exit 3';
    const result = await runSandboxed(context, text, { cwd, log: { path, maxBytes: 1000 } });
    expect(result).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      signal: null,
      outputBytes: 8,
    });
    expect(readFileSync(path, 'utf8')).toContain('err\n');
  });

  it('can open its outputs and its input by name', async (context) => {
    const options = { cwd, env: process.env, input: 'typed\n' };
    const text = 'echo out > /dev/stdout; echo err | tee /dev/stderr; cat /dev/stdin';
    const expected = { stdout: 'out\nerr\ntyped\n', stderr: 'err\n', exitCode: 0 };
    expect(await run(text, options)).toMatchObject(expected);
    expect(await runSandboxed(context, text, options)).toMatchObject(expected);
  });

  it('that a signal ended never counts as exit 0', async (context) => {
    const result = await runSandboxed(context, 'kill -SEGV $$', { cwd });
    expect(result).toMatchObject({ exitCode: 139, signal: null });
    expect(describeExit(result)).toMatch(/\b139\b.*\bSIGSEGV\b/);
  });

  it('that hangs is out of time', async (context) => {
    const result = await runSandboxed(context, 'trap "" TERM; sleep 300', { cwd, timeoutMs: 500 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(describeExit(result)).toContain('0.5 s');
  });

  it('is ended by the signal of its caller, though it and its daemon are deaf to every other', async (context) => {
    const text = `setsid sh -c 'trap "" TERM; echo in > daemon; sleep 300' & trap "" TERM; wait; sleep 300`;
    const ending = new AbortController();
    const running = runSandboxed(context, text, { cwd, signal: ending.signal });
    await Promise.race([running, expect.poll(() => existsSync(join(cwd, 'daemon'))).toBe(true)]);
    ending.abort();
    expect(await running).toMatchObject({ exitCode: null, timedOut: false, aborted: true });
    expect(processesIn(cwd)).toEqual([]);
  });

  it('that leaves daemons behind takes them with it', async (context) => {
    const text = `(setsid nohup sh -c 'echo in > daemon; cd ${cwd}; exec sleep 300' >/dev/null 2>&1 &); until [ -s daemon ]; do sleep 0.01; done`;
    expect(await runSandboxed(context, text, { cwd })).toMatchObject({ exitCode: 0 });
    expect(processesIn(cwd)).toEqual([]);
  });

  it('prints 100 MB through a bounded log', async (context) => {
    const path = join(temporaryFolder(context.onTestFinished), 'log');
    const text = 'yes 0123456789abcde | head -c 100000000; echo THE END; exit 1';
    const result = await runSandboxed(context, text, { cwd, log: { path, maxBytes: 100_000 } });
    expect(result).toMatchObject({ exitCode: 1, outputBytes: 100_000_008 });
    expect(result.tail.endsWith('THE END\n')).toBe(true);
    expect(statSync(path).size).toBeLessThan(100_100);
  });

  it('cannot forge how it ended', async (context) => {
    const forge = `for n in 3 4 5 6 7 8 9; do echo '{ "exit-code": 0 }' >&$n; done; exit 4`;
    expect((await runSandboxed(context, `( ${forge} ) 2>/dev/null`, { cwd })).exitCode).toBe(4);
  });

  it('that the sandbox cannot start does not count as failed', async (context) => {
    await bubblewrap(context);
    const elsewhere = temporaryFolder(context.onTestFinished);
    // A scratch folder that the policy does not name is not there inside.
    const running = runSandboxed(context, 'true', { cwd: elsewhere }, { writable: [cwd] });
    await expect(running).rejects.toMatchObject({
      code: 'sandbox.not-started',
      kind: 'outside',
      message: expect.stringContaining(elsewhere),
    });
  });

  it('whose folder is not there is something outside that failed', async (context) => {
    await bubblewrap(context);
    rmSync(cwd, { recursive: true });
    await expect(runSandboxed(context, 'true', { cwd })).rejects.toMatchObject({ kind: 'outside' });
  });

  it('may empty its own folder, which itself stays', async (context) => {
    mkdirSync(join(cwd, 'a/b'), { recursive: true });
    const result = await runSandboxed(context, 'rm -rf "$PWD" 2>/dev/null; ls -A; exit 2', { cwd });
    expect(result).toMatchObject({ stdout: '', exitCode: 2 });
    expect(statSync(cwd).isDirectory()).toBe(true);
  });

  it('works in folders with spaces, quotes and foreign letters', async (context) => {
    const odd = join(cwd, `it's a "дом" --bind $HOME`);
    mkdirSync(odd);
    const result = await runSandboxed(
      context,
      'pwd; echo x > made',
      { cwd: odd },
      { readOnly: [join(odd, 'kept')] },
    );
    expect(result).toMatchObject({ stdout: `${odd}\n`, exitCode: 0 });
    expect(readFileSync(join(odd, 'made'), 'utf8')).toBe('x\n');
  });

  it('has no environment but its own', async (context) => {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', API_TOKEN: 'x', GREETING: 'hello' };
    const { stdout } = await runSandboxed(context, 'env | sort | cut -d= -f1 | xargs', { cwd, env });
    expect(
      stdout
        .trim()
        .split(' ')
        .filter((name) => !['OLDPWD', '_', 'SHLVL'].includes(name)),
    ).toEqual(['CI', 'GREETING', 'GUARDKIT_RUN', 'HOME', 'NO_COLOR', 'PATH', 'PWD', 'TERM', 'TMPDIR']);
  });
});

/** Processes that work in a folder, as the machine sees them. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}
