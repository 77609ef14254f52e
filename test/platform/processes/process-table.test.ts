import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  environmentOf,
  isRunning,
  lookAtPs,
  markProcesses,
  parsePs,
  processesSince,
  programOf,
  readProcess,
  readPsProcess,
} from '../../../src/platform/processes/process-table.ts';

const EVER = { now: 0, lastPid: 0, forks: 0 };

async function sleeper(): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', env: { ...process.env, SLEEPER: 'yes' } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    end: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a process that began after a mark is found, one that began before is not', async () => {
  const before = await sleeper();
  const first = readProcess(before.pid);
  // Start times are in hundredths of a second.
  for (let now = markProcesses(); now.now <= (first?.started ?? 0) + 1; now = markProcesses())
    await new Promise((resolve) => setTimeout(resolve, 5));
  const mark = markProcesses();
  const after = await sleeper();
  const found = processesSince(mark).rows.map(({ pid }) => pid);
  expect(found).toContain(after.pid);
  expect(found).not.toContain(before.pid);
  // Also where the numbers began anew, and where so many were given that they say nothing.
  for (const other of [{ lastPid: 2 ** 30 }, { lastPid: after.pid, forks: mark.forks - 50_000 }]) {
    const all = processesSince({ ...mark, ...other }).rows.map(({ pid }) => pid);
    expect(all).toContain(after.pid);
    expect(all).not.toContain(before.pid);
  }
});

test.each([
  ['the system itself shows', markProcesses, processesSince],
  ['ps shows', () => EVER, lookAtPs],
])('a reading of what %s is outdated once a process has started or ended', async (_, mark, look) => {
  const start = mark();
  const before = look(start);
  const child = await sleeper();
  expect(before.holds()).toBe(false);
  const during = look(start);
  expect(during.rows.map(({ pid }) => pid)).toContain(child.pid);
  await child.end();
  expect(during.holds()).toBe(false);
});

test('a reading holds while nobody comes or goes', async () => {
  const mark = markProcesses();
  // Others on the machine come and go too: one quiet moment is enough.
  await vi.waitUntil(() => processesSince(mark).holds(), { timeout: 20_000, interval: 1 });
});

test('ps does not count itself, which would be another one each time', () => {
  const { rows } = lookAtPs(EVER);
  expect(rows.filter(({ parent, name }) => parent === process.pid && name === 'ps')).toEqual([]);
});

test('a process is known by its number and its start, until it ends', async () => {
  const child = await sleeper();
  const row = readProcess(child.pid);
  if (!row) throw new Error('it does not run');
  expect(row).toMatchObject({ parent: process.pid, name: 'sleep' });
  expect(isRunning(row)).toBe(true);
  expect(isRunning({ ...row, started: row.started + 1 })).toBe(false);
  expect(environmentOf(child.pid)).toContain('SLEEPER=yes');
  expect(programOf(child.pid)).toMatch(/\/(?:sleep|coreutils|busybox)$/);
  await child.end();
  expect(isRunning(row)).toBe(false);
});

test('where the system shows its processes only through ps, that is asked', async () => {
  const child = await sleeper();
  expect(readPsProcess(child.pid)).toMatchObject({ pid: child.pid, parent: process.pid, name: 'sleep' });
  expect(lookAtPs(EVER).rows.map(({ pid }) => pid)).toContain(child.pid);
  await child.end();
  expect(readPsProcess(child.pid)).toBeUndefined();
});

test('rows of ps are read with names that have spaces, and ended processes left out', () => {
  const text = [
    '  501     1 S    ??       Sun Nov 15 09:30:00 2026 /Applications/A B.app/C D',
    '  502   501 Z    ttys001  Sun Nov 15 09:30:01 2026 (gone)',
    '  503   501 S+   ttys001  Sun Nov 15 09:30:02 2026 /bin/sleep',
    'nonsense',
  ].join('\n');
  expect(parsePs(text)).toEqual([
    { pid: 501, parent: 1, name: 'C D', terminal: '', started: Date.parse('Nov 15 2026 09:30:00') / 1000 },
    {
      pid: 503,
      parent: 501,
      name: 'sleep',
      terminal: 'ttys001',
      started: Date.parse('Nov 15 2026 09:30:02') / 1000,
    },
  ]);
});
