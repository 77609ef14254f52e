import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { PROGRAM } from '../../support/cli.ts';
import {
  BASE_FILES,
  HONEST_CHANGE,
  ONE_PROCESS,
  RUN_TESTS,
  VerifiedProject,
} from '../../support/verified-project.ts';
import { baseRuns, isLedgerWhole, verifications } from './tasks-project.ts';

const FILES = {
  ...BASE_FILES,
  ...ONE_PROCESS,
  '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${RUN_TESTS}\n`,
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 3], coverage_required: false}\n',
};

function project(
  { onTestFinished }: TestContext,
  files: Readonly<Record<string, string>> = {},
): VerifiedProject {
  const made = new VerifiedProject({ ...FILES, ...files });
  onTestFinished(() => made.cleanup());
  made.write(HONEST_CHANGE);
  return made;
}

function workspaces(calc: VerifiedProject): string[] {
  return readdirSync(calc.sandbox.path('data/worktrees/calc-1234')).filter((name) =>
    /^verify-[0-9a-f]+-\d+$/.test(name),
  );
}

describe.concurrent('two verifications of one project at the same time', () => {
  it('use separate workspaces, and both pass', async (context) => {
    const calc = project(context);
    const both = await Promise.all([calc.verify(), calc.verify()]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(workspaces(calc)).toHaveLength(2);
    expect(isLedgerWhole(calc)).toBe(true);
    expect((await calc.verify()).exitCode).toBe(0);
    expect(workspaces(calc)).toHaveLength(2);
  });
});

describe.concurrent('a verification that is killed midway', () => {
  it('by kill -9 leaves no process, and the next run finds workspace, lock and ledger intact', async (context) => {
    const nap = `8${process.pid}`;
    const calc = project(context, {
      'test/add.test.js': `${BASE_FILES['test/add.test.js']}\nimport { existsSync } from 'node:fs';\nimport { spawnSync } from 'node:child_process';\ntest('takes its time', () => {\n  if (existsSync('slow')) spawnSync('sleep', ['${nap}']);\n});\n`,
    });
    calc.write({ slow: '' });
    const command = [PROGRAM, 'verify', 'TASK-001'];
    const options = { cwd: calc.path(), env: calc.sandbox.env };
    const child = spawn(process.execPath, command, options);
    await untilPrinted(child.stderr, `… tests: ${RUN_TESTS}`);
    await until(() => processesWith(nap).length > 0);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    await until(() => processesWith(nap).length === 0);
    rmSync(calc.path('slow'));
    // By the same program: results of another build would not be reused.
    await promisify(execFile)(process.execPath, command, options);
    expect(baseRuns(calc)).toHaveLength(1);
    expect(workspaces(calc)).toHaveLength(1);
    expect(isLedgerWhole(calc)).toBe(true);
  });

  it('by Ctrl-C ends with its commands, without a pass or a failure', async (context) => {
    const nap = `7${process.pid}`;
    const calc = project(context, {
      'test/add.test.js': `${BASE_FILES['test/add.test.js']}\nimport { spawnSync } from 'node:child_process';\ntest('takes its time', () => spawnSync('sleep', ['${nap}']));\n`,
    });
    const child = spawn(process.execPath, [PROGRAM, 'verify', 'TASK-001', '--json'], {
      cwd: calc.path(),
      env: calc.sandbox.env,
    });
    const said: Buffer[] = [];
    for (const output of [child.stdout, child.stderr]) output.on('data', (part: Buffer) => said.push(part));
    await until(() => processesWith(nap).length > 0);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    await until(() => processesWith(nap).length === 0);
    // And not recorded as a failure, which would be blamed on the author.
    expect(Buffer.concat(said).toString()).toContain('verify.cut-off');
    expect(verifications(calc)).toEqual([]);
    expect(isLedgerWhole(calc)).toBe(true);
  });
});

describe.concurrent('a data folder that', () => {
  it('cannot be created or written is refused before anything runs', async (context) => {
    const calc = project(context);
    calc.sandbox.write('a-file', '');
    for (const home of [calc.sandbox.path('a-file'), calc.sandbox.path('a-file', 'below'), '/sys/guardkit']) {
      const { exitCode, stderr, stdout } = await calc.guardkit(['verify', 'TASK-001', '--json'], {
        env: { GUARDKIT_HOME: home },
      });
      expect(exitCode, stderr).toBe(3);
      expect(stdout).not.toContain('"pass"');
      expect(stderr).not.toContain('… tests');
      expect(stderr).toContain(home.startsWith('/sys') ? '/sys/guardkit' : 'a-file');
    }
  });

  it('has a damaged ledger is refused before anything runs', async (context) => {
    const calc = project(context);
    calc.sandbox.write('data/ledger.db', 'this is not a database, whatever it says');
    const { exitCode, stderr } = await calc.guardkit(['verify', 'TASK-001']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('ledger.db');
    expect(stderr).not.toContain('… tests');
  });

  it('lost its workspace, or its state file, gets a new one', async (context) => {
    const calc = project(context);
    await calc.verify();
    const [workspace = ''] = workspaces(calc);
    const folder = calc.sandbox.path('data/worktrees/calc-1234', workspace);
    rmSync(folder, { recursive: true });
    expect((await calc.verify()).exitCode).toBe(0);
    rmSync(join(calc.path('.git/worktrees'), workspace), { recursive: true });
    writeFileSync(`${folder}.json`, '{"setupKey": 1');
    expect((await calc.verify()).exitCode).toBe(0);
    rmSync(calc.sandbox.path('data/worktrees'), { recursive: true });
    calc.git('worktree', 'prune');
    rmSync(calc.sandbox.path('data/evidence'), { recursive: true });
    expect((await calc.verify()).exitCode).toBe(0);
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/left.js'), 'left behind');
    expect((await calc.verify()).exitCode).toBe(0);
  });
});

describe.concurrent('an unreachable store', () => {
  it('only disables memory, with one line of notice', async (context) => {
    const calc = project(context);
    const env = { GUARDKIT_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { exitCode, json, stderr } = await calc.verify(['TASK-001'], { env });
    expect(exitCode, stderr).toBe(0);
    expect(json.outcome).toBe('pass');
    expect(stderr.split('\n').filter((line) => line.includes('memory'))).toHaveLength(1);
    expect(isLedgerWhole(calc)).toBe(true);
  });
});

function untilPrinted(stream: NodeJS.ReadableStream, words: string): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes(words)) resolve();
    });
    stream.once('end', () => reject(new Error(`"${words}" was never printed:\n${text}`)));
  });
}

function until(holds: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(holds()).toBe(true), { timeout: 120_000, interval: 50 });
}

function processesWith(nap: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${nap}\0`;
    } catch {
      // Safe: it ended in the meantime.
      return false;
    }
  });
}
