import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { agentsSocket } from '../../src/enforcement/broker/find-broker.ts';
import { runOutside } from '../../src/enforcement/broker/run-outside.ts';
import { allProcesses, commandOf, readProcess } from '../../src/platform/process-table.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { WatchTables } from '../../src/store/ledger/watch-tables.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { hasEnded } from '../support/ended.ts';
import { HONEST_CHANGE, MEASURED_FILES, VerifiedProject } from '../support/verified-project.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

const PROJECT = 'calc-1234';

let project: VerifiedProject;
let agent: WrappedAgent;

beforeAll(async () => {
  project = new VerifiedProject(MEASURED_FILES);
  project.write(HONEST_CHANGE);
  project.commit('Subtract');
  await project.guardkit(['init', '--yes', '--no-agent']);
  await project.guardkit(['feature', 'list']);
  agent = new WrappedAgent(project.sandbox, project.name);
});
afterAll(() => {
  agent.endBrokers('SIGKILL');
  project.cleanup();
});

function ledger<Result>(use: (opened: ReturnType<typeof openLedger>) => Result): Result {
  const opened = openLedger({ path: project.sandbox.path('data', 'ledger.db') });
  try {
    return use(opened);
  } finally {
    opened.close();
  }
}

/** The agent program that a person started with this environment, as hooks have recorded it. */
function startProgram(env: Record<string, string>): number {
  const child = spawn('sleep', ['600'], { env: { ...project.sandbox.env, ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const row = readProcess(Number(child.pid));
  const process = row && { pid: row.pid, started: row.started };
  const body = {
    agent: 'claude',
    checkout: project.path(),
    process,
    driven: false,
    types: [],
    ended: false,
  };
  const now = Date.now();
  ledger((opened) =>
    new WatchTables(opened).setSession({
      project: PROJECT,
      session: `person-${now}`,
      began_at: now,
      seen_at: now,
      body: JSON.stringify(body),
    }),
  );
  return Number(child.pid);
}

function errorCode(stdout: string): string {
  return (JSON.parse(stdout) as { error: { code: string } }).error.code;
}

describe('a command of GuardKit inside the wrapper', () => {
  it('fails plainly where no broker runs', async (context) => {
    await bubblewrap(context);
    const { exitCode, stdout } = await agent.guardkit(['feature', 'list', '--json']);
    expect(exitCode).toBe(3);
    expect(errorCode(stdout)).toBe('broker.not-running');
  });

  it('cannot start a broker itself', async (context) => {
    await bubblewrap(context);
    expect((await agent.guardkit(['broker'])).exitCode).toBe(1);
    expect(agent.brokers()).toEqual([]);
  });

  it('finds one broker, however many sessions start it at the same time', async (context) => {
    await bubblewrap(context);
    const started = await Promise.all(Array.from({ length: 4 }, () => agent.startBroker()));
    expect(started).toEqual([true, true, true, true]);
    await expect.poll(() => agent.brokers()).toHaveLength(1);
    const [pid] = agent.brokers();
    expect(await agent.startBroker()).toBe(true);
    expect(agent.brokers()).toEqual([pid]);
  });

  it('shows help without the broker', async (context) => {
    await bubblewrap(context);
    const { exitCode, stdout } = await agent.guardkit(['verify', '--help']);
    expect([exitCode, stdout.startsWith('Usage: guardkit verify')]).toEqual([0, true]);
  });

  it('reads and writes what an agent may', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const [next, search, created, listed] = await Promise.all([
      agent.guardkit(['feature', 'next', '--json']),
      agent.guardkit(['graphiti', 'search', 'subtract', '--json']),
      agent.guardkit(['task', 'create', 'Multiply', '--json']),
      agent.guardkit(['guard', 'list', '--json']),
    ]);
    expect([next.stderr, search.stderr, listed.stderr]).toEqual(['', '', '']);
    expect([next.exitCode, search.exitCode, created.exitCode, listed.exitCode]).toEqual([0, 0, 0, 0]);
    const { path } = JSON.parse(created.stdout) as { path: string };
    expect(existsSync(project.path(path))).toBe(true);
    expect(JSON.parse(listed.stdout)).toBeTruthy();
  });

  it('has the input that it reads, and leaves alone what it does not', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const action = { input: '{"kind": "command", "command": "ls"}' };
    const judged = await agent.guardkit(['guard', 'test', '--action', '-', '--json'], action);
    expect(JSON.parse(judged.stdout)).toMatchObject({ decision: 'allow' });
    const loop = 'while read -r id; do $GUARDKIT task show "$id" > /dev/null && echo "$id"; done';
    const { stdout } = await agent.shell(loop, { input: 'TASK-001\nTASK-001\n' });
    expect(stdout).toBe('TASK-001\nTASK-001\n');
  });

  it.each([
    ['accept'],
    ['guard allow secrets --once --reason x'],
    ['init --yes'],
    ['uninstall'],
    ['doctor --fix'],
    ['evidence TASK-001 --vouch ui --reason fine'],
  ])('is refused what only a person may: %s', async (line) => {
    await agent.startBroker();
    const before = ledger((opened) => opened.entries(PROJECT, { kind: 'violation_recorded' }).length);
    const { exitCode, stdout, stderr } = await agent.guardkit([...line.split(' '), '--json'], {
      input: 'y\nsecrets\n',
    });
    expect([exitCode, errorCode(stdout)]).toEqual([1, 'person.inside-agent']);
    expect(stderr).toContain(`guardkit ${line}`);
    const attempts = ledger((opened) => opened.entries(PROJECT, { kind: 'violation_recorded' }));
    expect(attempts.slice(before)).toMatchObject([{ body: { guard: 'person-only' } }]);
  });

  it('writes no file outside the wrapper that an argument names, also by a message made by hand', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const target = project.sandbox.write('home/.bashrc', 'digraph knowledge {\n}\n');
    const theirs = project.sandbox.write('home/theirs', 'digraph knowledge {\n  "own" [x="y"];\n}\n');
    for (const args of [
      ['graphiti', 'export', '--out', target],
      ['knowledge', 'render', '--out', target],
      ['knowledge', 'merge', target, target, theirs],
    ]) {
      const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()];
      const socket = agentsSocket(agent.dataFolder);
      expect(await runOutside(socket, { args, cwd: project.path(), stdout, stderr })).not.toBe(0);
    }
    expect(readFileSync(target, 'utf8')).toBe('digraph knowledge {\n}\n');
  });

  it('merges graphs for git inside, where its files are', async (context) => {
    await bubblewrap(context);
    project.write({ 'a.dot': 'digraph knowledge {\n}\n', 'b.dot': 'digraph knowledge {\n}\n' });
    const { exitCode } = await agent.guardkit(['knowledge', 'merge', 'a.dot', 'a.dot', 'b.dot']);
    expect(exitCode).toBe(0);
  });
});

describe('what judges an agent’s work', () => {
  it('has the person’s environment, and nothing of the agent’s', async (context) => {
    await bubblewrap(context);
    await agent.startBroker({ BROKERS_WORD: 'no' });
    startProgram({ PERSONS_WORD: 'yes', NODE_OPTIONS: '--no-warnings' });
    const names = ['PERSONS_WORD', 'AGENTS_WORD', 'BROKERS_WORD', 'NODE_OPTIONS', 'LD_PRELOAD'];
    const test = `import test from 'node:test';
import assert from 'node:assert/strict';
import { sub } from '../src/sub.js';
test('AC-001 subtracts', () => {
  assert.equal(sub(3, 2), 1);
  const seen = ${JSON.stringify(names)}.filter((name) => process.env[name] !== undefined);
  assert.deepEqual(seen, ['PERSONS_WORD']);
});
`;
    project.write({ 'test/sub.test.js': test });
    project.commit('Test the environment');
    const { exitCode, stdout, stderr } = await agent.guardkit(['verify', 'TASK-001', '--json'], {
      env: {
        AGENTS_WORD: 'x',
        PERSONS_WORD: 'forged',
        NODE_OPTIONS: '--no-deprecation',
        PATH: `/nowhere:${process.env.PATH}`,
      },
    });
    expect(stderr).not.toContain('AGENTS_WORD');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'pass' });
    expect(exitCode).toBe(0);
  });
});

describe('a verification inside the wrapper that takes long', () => {
  const SLOW = `import test from 'node:test';
test('AC-001 subtracts', async () => { await new Promise((resolve) => setTimeout(resolve, 300_000)); });
`;

  async function startSlow() {
    project.write({ 'test/sub.test.js': SLOW });
    project.commit('Take long');
    const running = agent.start([process.execPath, ...programWords(['verify', 'TASK-001', '--json'])]);
    // Its first progress line comes from outside.
    await once(running.child.stderr as NodeJS.ReadableStream, 'data');
    const [outside] = verifications();
    expect(outside).toBeDefined();
    return { ...running, outside: Number(outside) };
  }

  function programWords(args: string[]): string[] {
    return [new URL('../../bin/guardkit', import.meta.url).pathname, ...args];
  }

  /** Children of the broker that verify. */
  function verifications(): number[] {
    const brokers = agent.brokers();
    return allProcesses().filter(
      (pid) => brokers.includes(readProcess(pid)?.parent ?? 0) && (commandOf(pid) ?? []).includes('verify'),
    );
  }

  it('is cut off by Ctrl-C, and ends before its client does', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const { child, ended, outside } = await startSlow();
    for (const one of below(Number(child.pid))) process.kill(one, 'SIGINT');
    const { exitCode, stdout } = await ended;
    expect([exitCode, errorCode(stdout)]).toEqual([1, 'verify.cut-off']);
    await expect.poll(() => hasEnded(outside)).toBe(true);
  });

  it('ends when its client is killed', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const { child, ended, outside } = await startSlow();
    for (const one of below(Number(child.pid))) process.kill(one, 'SIGKILL');
    await ended;
    await expect.poll(() => hasEnded(outside), { timeout: 15_000 }).toBe(true);
  });

  it('has no result when the broker is killed, and the next broker serves again', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const { ended, outside } = await startSlow();
    onTestFinished(() => {
      try {
        process.kill(-outside, 'SIGTERM');
      } catch {
        // It has ended already.
      }
    });
    agent.endBrokers('SIGKILL');
    const { exitCode, stdout } = await ended;
    expect([exitCode, errorCode(stdout)]).toEqual([3, 'broker.ended']);
    expect(await agent.startBroker()).toBe(true);
    expect((await agent.guardkit(['feature', 'list'])).exitCode).toBe(0);
  });

  /** The client, which bwrap started. */
  function below(pid: number): number[] {
    const children = allProcesses().filter((one) => readProcess(one)?.parent === pid);
    return children.flatMap((one) => [one, ...below(one)]);
  }
});

describe('the broker', () => {
  it('opens no inspector when it gets SIGUSR1', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const [pid = 0] = agent.brokers();
    const sockets = () =>
      readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'));
    const before = sockets().length;
    await agent.shell(`kill -USR1 ${pid}`);
    expect((await agent.guardkit(['feature', 'list'])).exitCode).toBe(0);
    expect(sockets()).toHaveLength(before);
  });

  it('has a session and an environment of its own', async (context) => {
    await bubblewrap(context);
    agent.endBrokers();
    await expect.poll(() => agent.brokers()).toEqual([]);
    await agent.startBroker({ CLAUDECODE: '1', NODE_OPTIONS: '--no-warnings', SECRET: 'x' });
    const [pid = 0] = agent.brokers();
    const [, , session] = statOf(pid);
    expect(session).toBe(String(pid));
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names).not.toContain('CLAUDECODE');
    expect(names).not.toContain('NODE_OPTIONS');
    expect(names).not.toContain('SECRET');
    expect(names).toContain('PATH');
  });

  function linkOf(path: string): string {
    try {
      return readlinkSync(path);
    } catch {
      // Closed since the folder was read.
      return '';
    }
  }

  /** Parent, group and session. */
  function statOf(pid: number): string[] {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(1, 4);
  }
});
