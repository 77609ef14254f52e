import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMarker } from '../../../src/platform/processes/end-processes.ts';
import { type ProcessOptions, runProcess } from '../../../src/platform/processes/run-process.ts';
import { hasEnded } from '../../support/ended.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { further } from '../../support/thorough.ts';
import { buildWorker } from '../../support/worker.ts';

function shell(script: string, options: Partial<ProcessOptions> & { cwd: string }) {
  return runProcess('/bin/sh', ['-c', script], {
    env: process.env,
    timeoutMs: 30_000,
    endStrays: true,
    ...options,
  });
}

function pidIn(folder: string, name = 'child'): number {
  try {
    return Number(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return 0;
  }
}

const UNTIL_THERE = 'until [ -s child ]; do sleep 0.01; done';
/** Each writes its own process id and would live for minutes. */
const DAEMONS = {
  setsid: `setsid sh -c 'echo $$ > child; exec sleep 300' >/dev/null 2>&1 &`,
  'a double fork': `(setsid sh -c '(echo $$ > other; sh -c "echo \\$\\$ > child; exec sleep 300") &' &) >/dev/null 2>&1`,
  nohup: `nohup setsid sh -c 'echo $$ > child; exec sleep 300' >/dev/null 2>&1 &`,
  'pipes that stay open': `setsid sh -c 'echo $$ > child; exec sleep 300' &`,
  'a deaf ear': `setsid sh -c 'trap "" TERM HUP INT; echo $$ > child; while :; do sleep 300; done' >/dev/null 2>&1 &`,
};

describe.concurrent('what a program started and left behind', () => {
  it.each(Object.entries(DAEMONS))('with %s ends with it', async (_, daemon) => {
    const cwd = temporaryFolder();
    const result = await shell(`${daemon}\n${UNTIL_THERE}; exit 3`, { cwd });
    expect(result).toMatchObject({ exitCode: 3, signal: null, timedOut: false });
    expect(pidIn(cwd)).toBeGreaterThan(1);
    expect(hasEnded(pidIn(cwd))).toBe(true);
  });

  further('ends also when its time is up', async () => {
    const cwd = temporaryFolder();
    const result = await shell(`${DAEMONS.setsid}\n${UNTIL_THERE}; sleep 300`, { cwd, timeoutMs: 1000 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(hasEnded(pidIn(cwd))).toBe(true);
  });

  it('ends only this run: processes of another run continue', async ({ expect }) => {
    const cwd = temporaryFolder();
    const other = shell('echo $$ > child; sleep 300', { cwd, signal: AbortSignal.timeout(20_000) });
    const ending = new AbortController();
    const mine = temporaryFolder();
    const second = shell('echo $$ > child; exec sleep 300', { cwd: mine, signal: ending.signal });
    await expect.poll(() => pidIn(cwd) > 1 && pidIn(mine) > 1).toBe(true);
    await shell('true', { cwd: mine });
    expect(hasEnded(pidIn(cwd))).toBe(false);
    ending.abort();
    await second;
    expect(hasEnded(pidIn(cwd))).toBe(false);
    process.kill(pidIn(cwd));
    expect(await other).toMatchObject({ signal: 'SIGTERM', aborted: false });
  });

  it.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends when %s ends GuardKit itself',
    async (signal, { expect }) => {
      const cwd = temporaryFolder();
      const worker = spawn(process.execPath, [await buildWorker('test/platform/strays-worker.ts'), cwd]);
      const ended = new Promise((resolve) => {
        worker.on('exit', (_, by) => resolve(by));
      });
      await expect.poll(() => pidIn(cwd)).toBeGreaterThan(1);
      worker.kill(signal);
      expect(await ended).toBe(signal);
      await expect.poll(() => hasEnded(pidIn(cwd))).toBe(true);
    },
  );
});

describe("a run's marker", () => {
  it('includes the outer runs, so that an outer run finds the leftovers of an inner one', () => {
    expect(runMarker('b', undefined)).toBe('b');
    expect(runMarker('b', 'a')).toBe('a:b');
  });

  it('does not grow without end and takes no foreign text along', () => {
    expect(runMarker('z', Array.from({ length: 50 }, (_, n) => String(n)).join(':'))).toBe(
      '43:44:45:46:47:48:49:z',
    );
    expect(runMarker('z', 'two words:$(x)::a')).toBe('a:z');
  });
});
