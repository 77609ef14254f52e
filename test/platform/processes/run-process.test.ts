import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ProcessOptions, runProcess } from '../../../src/platform/processes/run-process.ts';
import { hasEnded } from '../../support/ended.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { further } from '../../support/thorough.ts';

const PLAIN: ProcessOptions = { cwd: '/', env: process.env, timeoutMs: 30_000 };

function shell(script: string, options: Partial<ProcessOptions> = {}) {
  return runProcess('/bin/sh', ['-c', script], { ...PLAIN, ...options });
}

describe.concurrent('a process', () => {
  it('gives its outputs apart and its exit code', async () => {
    expect(await shell('echo out; echo err >&2; exit 7')).toEqual({
      exitCode: 7,
      signal: null,
      timedOut: false,
      aborted: false,
      timeoutMs: 30_000,
      durationMs: expect.any(Number),
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      tail: expect.stringMatching(/out\n|err\n/),
      outputBytes: 8,
      outputDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      report: '',
    });
  });

  it('that a signal ended has no exit code, but the signal', async () => {
    expect(await shell('kill -KILL $$')).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
    });
  });

  it('runs in the folder and with the environment that it is given, and no other', async () => {
    const { stdout } = await shell('pwd; echo "$GREETING$HOME"', { cwd: '/usr', env: { GREETING: 'hello' } });
    expect(stdout).toBe('/usr\nhello\n');
  });

  it('reads its input', async () => {
    expect((await shell('cat', { input: 'typed\n' })).stdout).toBe('typed\n');
  });

  it('may leave its input unread', async () => {
    expect(await shell('exec true', { input: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('keeps each output up to the limit, marks it as truncated, and continues', async () => {
    const script = 'head -c 300000 /dev/zero | tr "\\0" x; echo small >&2; exit 3';
    const { stdout, stderr, truncated, exitCode } = await shell(script, { maxOutputBytes: 1000 });
    expect(stdout).toBe('x'.repeat(1000));
    expect({ stderr, truncated, exitCode }).toEqual({ stderr: 'small\n', truncated: true, exitCode: 3 });
  });

  it('that just fits is not called truncated', async () => {
    expect(await shell('printf 12345', { maxOutputBytes: 5 })).toMatchObject({
      stdout: '12345',
      truncated: false,
    });
  });

  it('that is out of time ends with everything it started', async ({ expect }) => {
    const result = await shell('sleep 300 & echo $!; sleep 300', { timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true });
    const child = Number(result.stdout);
    expect(child).toBeGreaterThan(1);
    await expect.poll(() => hasEnded(child)).toBe(true);
  });

  further('that will not end when it is asked is ended', async () => {
    const result = await shell('trap "" TERM; sleep 300', { timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true });
  });

  it('that is not there is something outside that failed, with the remedy', async () => {
    const started = runProcess('no-such-program', [], { cwd: '/', env: {}, timeoutMs: 1000 });
    await expect(started).rejects.toMatchObject({
      code: 'process.not-started',
      kind: 'outside',
      hint: expect.stringContaining('no-such-program'),
    });
  });

  it('that cannot be started with its arguments is an outside failure, not a bug', async () => {
    await expect(shell('echo \0')).rejects.toMatchObject({ code: 'process.not-started', kind: 'outside' });
  });

  it('with a missing folder is reported differently from a missing program', async () => {
    await expect(shell('true', { cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: 'process.no-folder',
      kind: 'outside',
      message: expect.stringContaining('/no/such/folder'),
    });
    await expect(shell('true', { cwd: '/dev/null' })).rejects.toMatchObject({ code: 'process.no-folder' });
  });

  it('has nothing to read if it is given nothing', async () => {
    expect(await shell('cat; echo done')).toMatchObject({ stdout: 'done\n', exitCode: 0 });
  });

  it('may close its outputs long before it ends', async () => {
    const script = 'echo first; exec >&- 2>&-; sleep 0.1; exit 4';
    expect(await shell(script)).toMatchObject({ stdout: 'first\n', exitCode: 4 });
  });

  it('may delete the folder it runs in', async () => {
    const cwd = join(temporaryFolder(), 'doomed');
    await shell(`mkdir ${cwd}`);
    expect(await shell('rm -rf "$PWD"; echo gone; exit 5', { cwd })).toMatchObject({
      stdout: 'gone\n',
      exitCode: 5,
    });
  });

  it('may kill its own group, and no other process', async () => {
    expect(await shell('kill -KILL 0; sleep 300')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('is ended by the signal of its caller, with everything it started', async ({ expect }) => {
    const ending = new AbortController();
    const folder = temporaryFolder();
    const running = shell('sleep 300 & echo $! > child; sleep 300', { cwd: folder, signal: ending.signal });
    await expect.poll(() => childIn(folder)).toBeGreaterThan(1);
    ending.abort();
    expect(await running).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: false,
      aborted: true,
    });
    expect(hasEnded(childIn(folder))).toBe(true);
  });

  it('whose caller no longer wants it does not go on', async () => {
    const result = await shell('sleep 300', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ exitCode: null, aborted: true });
  });

  it('ends its background processes when it exits', async ({ expect }) => {
    const result = await shell('sleep 300 >/dev/null 2>&1 & echo $!; exit 0');
    expect(result).toMatchObject({ exitCode: 0, signal: null, timedOut: false });
    expect(hasEnded(Number(result.stdout))).toBe(true);
  });

  further('ends processes that ignore SIGTERM', async ({ expect }) => {
    const cwd = temporaryFolder();
    const stubborn = '(trap "" TERM; : > deaf; sleep 300) & echo $!';
    const result = await shell(`${stubborn}; until [ -e deaf ]; do sleep 0.01; done; exit 0`, { cwd });
    expect(result.exitCode).toBe(0);
    expect(hasEnded(Number(result.stdout.trim()))).toBe(true);
  });
});

function childIn(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'child'), 'utf8'));
  } catch {
    return 0;
  }
}

describe.concurrent('the output of a process', () => {
  it('is digested completely, dropped parts included', async () => {
    const bytes = Buffer.alloc(300_000, 'x');
    const script = 'head -c 300000 /dev/zero | tr "\\0" x';
    expect(await shell(script, { maxOutputBytes: 10 })).toMatchObject({
      stdout: 'xxxxxxxxxx',
      outputBytes: 300_000,
      outputDigest: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  further('of 100 MB needs no more memory than the kept part', async () => {
    const path = join(temporaryFolder(), 'big.log');
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }, 5);
    const megabytes = 100;
    const result = await shell(
      `yes 0123456789abcde | head -c ${megabytes}000000; echo; echo THE END >&2; exit 1`,
      {
        maxOutputBytes: 1_000_000,
        log: { path, maxBytes: 2_000_000 },
      },
    );
    clearInterval(watch);
    expect(result).toMatchObject({ exitCode: 1, outputBytes: megabytes * 1_000_000 + 9, truncated: true });
    expect(result.stdout.length).toBe(1_000_000);
    expect(statSync(path).size).toBeLessThan(2_000_100);
    expect(readFileSync(path, 'utf8')).toContain('THE END');
    expect(peak).toBeLessThan(64_000_000);
  });

  it('that is not valid UTF-8 is shown with replacement characters', async () => {
    const { stdout, tail } = await shell("printf 'a\\377b\\303'");
    expect({ stdout, tail }).toEqual({ stdout: 'a\ufffdb\ufffd', tail: 'a\ufffdb\ufffd' });
  });

  it('that is cut within a character ends before it', async () => {
    expect(await shell("printf 'a€€'", { maxOutputBytes: 5 })).toMatchObject({
      stdout: 'a€',
      truncated: true,
    });
  });

  it('goes to a log that only its owner can read and that appears when complete', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'logs', 'run.log');
    const { stdout } = await shell('echo out; echo err >&2; ls -A logs', {
      cwd: folder,
      log: { path, maxBytes: 1000 },
    });
    expect(stdout).toMatch(/^out\n\.run\.log\.[0-9a-f-]+\.tmp\n$/);
    expect(readFileSync(path, 'utf8')).toContain('err\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'logs'))).toEqual(['run.log']);
  });

  it('leaves no log of a program that could not be started', async () => {
    const folder = temporaryFolder();
    const log = { path: join(folder, 'run.log'), maxBytes: 1000 };
    const started = runProcess('no-such-program', [], { cwd: '/', env: {}, timeoutMs: 1000, log });
    await expect(started).rejects.toMatchObject({ code: 'process.not-started' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('whose log cannot be written is something outside that failed, and the program is waited for', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'run.log');
    // The log's folder vanishes while the program runs.
    const running = shell('rm -rf logs; echo x > ended', {
      cwd: folder,
      log: { path: join(folder, 'logs', 'run.log'), maxBytes: 1000 },
    });
    await expect(running).rejects.toMatchObject({ code: 'process.log-not-written', kind: 'outside' });
    expect(readdirSync(folder)).toEqual(['ended']);
    await expect(
      shell('true', { log: { path: join('/dev/null', path), maxBytes: 1 } }),
    ).rejects.toMatchObject({
      code: 'process.log-not-written',
    });
  });

  it('is not asked for a report unless it should give one', async () => {
    expect(await shell('echo report >&3; echo out', { withReport: true })).toMatchObject({
      stdout: 'out\n',
      report: 'report\n',
    });
    expect(await shell('{ echo report >&3; } 2>/dev/null || echo closed')).toMatchObject({
      stdout: 'closed\n',
      report: '',
    });
  });
});

describe.skipIf(process.platform !== 'linux')('a process connected by pipes', () => {
  const piped = (script: string, options: Partial<ProcessOptions> = {}) =>
    shell(script, { withPipes: true, ...options });

  it('can open its outputs and its input by name', async () => {
    const script = 'echo out > /dev/stdout; echo err | tee /dev/stderr; cat /dev/stdin';
    expect(await piped(script, { input: 'typed\n' })).toMatchObject({
      exitCode: 0,
      stdout: 'out\nerr\ntyped\n',
      stderr: 'err\n',
    });
  });

  it('has no input if none is given', async () => {
    expect(await piped('cat; readlink /proc/self/fd/0')).toMatchObject({ stdout: '/dev/null\n' });
  });

  it('may leave its input unread', async () => {
    expect(await piped('exec true', { input: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('gets all of a large input and gives all of a large output', async () => {
    const input = 'x'.repeat(3_000_000);
    expect((await piped('cat', { input })).stdout).toBe(input);
  });

  it('is not waited for by its outputs when a process that escaped keeps them open', async () => {
    const { stdout, exitCode } = await piped('setsid sleep 60 & echo $!', { endStrays: false });
    process.kill(Number(stdout), 'SIGKILL');
    expect(exitCode).toBe(0);
  });

  it('leaves no file descriptor and no temporary file', async () => {
    const folder = temporaryFolder();
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      await piped('echo x', { input: 'x' });
      await expect(runProcess('/no/such/program', [], { ...PLAIN, withPipes: true })).rejects.toThrow();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    const left = () => readdirSync('/proc/self/fd').filter((fd) => isOpenIn(folder, fd));
    await expect.poll(left).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function isOpenIn(folder: string, fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
  } catch {
    // It was closed meanwhile.
    return false;
  }
}
