import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { findSandbox } from '../../../src/platform/sandbox/find-sandbox.ts';
import { gate, HONEST_CHANGE, RUN_TESTS } from '../../support/verified-project.ts';
import { evidenceOf, isLedgerWhole, projectOfTasks } from './tasks-project.ts';

const sandbox = await findSandbox();
/** Distinguishable from all other processes of the machine. */
const NAP = `9${process.pid}`;

/** Only on the candidate, so that the base costs nothing. */
const onCandidate = (bad: string) => `if [ -f src/sub.js ]; then ${bad}; fi; ${RUN_TESTS}`;
const tests = (command: string, more = '') => `tests:\n  command: ${JSON.stringify(command)}\n${more}`;

const project = projectOfTasks({
  'TASK-HANG': tests(onCandidate('sleep 600'), '  timeout: 1\n'),
  'TASK-DEAF': tests(onCandidate("trap '' TERM; while true; do sleep 1; done"), '  timeout: 1\n'),
  'TASK-LOUD': tests(onCandidate('yes "a line of text that nobody reads" | head -c 100000000')),
  'TASK-DAEMON': tests(
    onCandidate(`(setsid nohup sleep ${NAP} >/dev/null 2>&1 &) ; sleep ${NAP} & sleep 0.2`),
  ),
  'TASK-FORKS': tests(onCandidate('for i in $(seq 200); do sleep 100 & done; wait $!'), '  timeout: 2\n'),
  'TASK-WIPE': tests(`${RUN_TESTS}; ${onCandidate('rm -rf . * .[a-z]* "$PWD"')}`),
  'TASK-HOME': tests(
    onCandidate(
      `ls "$GUARDKIT_HOME" ../../../ledger.db; rm -rf ../../../* "$HOME"/../data; echo broken > ../../../ledger.db`,
    ),
  ),
  'TASK-SIGNAL': tests(onCandidate('kill -9 $$')),
  'TASK-PARENT': tests(onCandidate('kill -9 $PPID; kill -9 -1')),
  'TASK-FULL': tests(
    onCandidate('head -c 50000000 /dev/zero > "$TMPDIR/filled"; mkfifo lcov.info report.xml'),
  ),
});
afterAll(() => project.cleanup());

const verify = (id: string) => project.verify([id]);

describe.concurrent('a test command that', () => {
  it('hangs is killed at its timeout and fails', async () => {
    const { exitCode, json } = await verify('TASK-HANG');
    expect(exitCode).toBe(1);
    expect(gate(json, 'tests').result).toBe('fail');
    expect(evidenceOf(project, 'TASK-HANG')[0]).toMatchObject({ timed_out: true });
  });

  it('ignores SIGTERM is killed', async () => {
    const { exitCode, json } = await verify('TASK-DEAF');
    expect(exitCode).toBe(1);
    expect(gate(json, 'tests').result).toBe('fail');
    expect(evidenceOf(project, 'TASK-DEAF')[0]).toMatchObject({ timed_out: true });
  });

  it('prints 100 MB is read to its end and kept up to a limit', async () => {
    const { exitCode, json } = await verify('TASK-LOUD');
    expect(exitCode, JSON.stringify(json.gates)).toBe(0);
    const [run] = evidenceOf(project, 'TASK-LOUD');
    expect(run?.output_bytes).toBeGreaterThan(100_000_000);
    expect(statSync(project.sandbox.path('data/evidence/calc-1234', `${run?.id}.log`)).size).toBeLessThan(
      20_000_000,
    );
    expect(run?.output_tail.length).toBeLessThanOrEqual(4000);
  });

  it('leaves a daemon behind is judged by its exit, and the daemon is killed', async () => {
    expect((await verify('TASK-DAEMON')).exitCode).toBe(0);
    expect(processesWith(NAP)).toEqual([]);
  });

  it('starts two hundred processes is killed with all of them', async () => {
    const { json } = await verify('TASK-FORKS');
    expect(gate(json, 'tests').result).toBe('fail');
    expect(evidenceOf(project, 'TASK-FORKS')[0]).toMatchObject({ timed_out: true });
  });

  it('deletes everything leaves the project unchanged, and the next command finds the files', async () => {
    const { json } = await verify('TASK-WIPE');
    expect(gate(json, 'tests').result).not.toBe('absent');
    expect(gate(json, 'coverage').result).toBe('pass');
    expect(readFileSync(project.path('src/sub.js'), 'utf8')).toBe(HONEST_CHANGE['src/sub.js']);
  });

  it.skipIf(!sandbox.available)(
    'attacks the data folder sees only what its own runners report into',
    async () => {
      const { exitCode, json } = await verify('TASK-HOME');
      expect(exitCode).toBe(1);
      expect(gate(json, 'tests')).toMatchObject({
        result: 'fail',
        reason: expect.stringContaining('report'),
      });
      const log = readFileSync(
        project.sandbox.path('data/evidence/calc-1234', `${evidenceOf(project, 'TASK-HOME')[0]?.id}.log`),
        'utf8',
      );
      expect(log).toMatch(/ledger\.db'?: No such file/);
      expect(isLedgerWhole(project)).toBe(true);
    },
  );

  it('kills itself fails, and the signal is reported', async () => {
    const { json } = await verify('TASK-SIGNAL');
    expect(gate(json, 'tests')).toMatchObject({
      result: 'fail',
      reason: expect.stringMatching(/SIGKILL|exit 137/),
    });
  });

  it.skipIf(!sandbox.available)('kills all it can reach reaches nothing but itself', async () => {
    const { exitCode } = await verify('TASK-PARENT');
    expect(exitCode).toBe(0);
    expect(isLedgerWhole(project)).toBe(true);
  });

  it('fills disks and creates pipes at report paths does not block the run', async () => {
    const { exitCode, json } = await verify('TASK-FULL');
    expect(exitCode, JSON.stringify(json.gates)).toBe(0);
  });
});

function processesWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(`sleep ${word}`) && !line.includes('sh -c') && !line.includes('bwrap')
          ? [line]
          : [];
      } catch {
        // Safe: it ended in the meantime.
        return [];
      }
    });
}
