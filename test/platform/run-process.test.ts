import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type ProcessOptions, runProcess } from '../../src/platform/run-process.ts';

function shell(script: string, options: Partial<ProcessOptions> = {}) {
  return runProcess('/bin/sh', ['-c', script], { cwd: '/', env: process.env, timeoutMs: 30_000, ...options });
}

/** Ended, whether or not somebody has fetched its exit code yet. */
function hasEnded(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return true;
  }
}

describe.concurrent('a process', () => {
  it('gives its outputs apart and its exit code', async () => {
    expect(await shell('echo out; echo err >&2; exit 7')).toEqual({
      exitCode: 7,
      signal: null,
      timedOut: false,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
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

  it('keeps of each output what fits, says that it dropped the rest, and is not stopped by it', async () => {
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
    await expect.poll(() => hasEnded(child), { timeout: 10_000 }).toBe(true);
  });

  it('that will not end when it is asked is ended', async () => {
    const result = await shell('trap "" TERM; sleep 300', { timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true });
  });

  it('that is not there is something outside that failed, with the remedy', async () => {
    const started = runProcess('no-such-program', [], { cwd: '/', env: {}, timeoutMs: 1000 });
    await expect(started).rejects.toMatchObject({
      code: 'process.not-started',
      kind: 'outside',
      hint: 'Install no-such-program or put it on the PATH.',
    });
  });
});
