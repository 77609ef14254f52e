import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runOutside } from '../../src/enforcement/broker/broker-client.ts';
import { agentsSocket } from '../../src/enforcement/broker/broker-socket.ts';
import { readProcess } from '../../src/platform/processes/process-table.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { WatchTables } from '../../src/store/ledger/tables/watch-tables.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { rows } from '../support/thorough.ts';
import { HONEST_CHANGE, MEASURED_FILES, VerifiedProject } from '../support/verified-project.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

const PROJECT = 'calc-1234';

let project: VerifiedProject;
let agent: WrappedAgent;

beforeAll(async () => {
  const config = `${MEASURED_FILES['.guardkit/config.yaml']}  pass_env: [PERSONS_WORD]\n`;
  project = new VerifiedProject({ ...MEASURED_FILES, '.guardkit/config.yaml': config });
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

/** The agent program that a person started with this environment, as recorded by hooks. */
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
  it('fails with a clear error if no broker runs', async (context) => {
    await bubblewrap(context);
    const { exitCode, stdout } = await agent.guardkit(['feature', 'list', '--json']);
    expect(exitCode).toBe(3);
    expect(errorCode(stdout)).toBe('broker.not-running');
  });

  it('cannot start a broker itself', async (context) => {
    await bubblewrap(context);
    expect((await agent.guardkit(['serve'])).exitCode).toBe(3);
    expect(agent.brokers()).toEqual([]);
  });

  it('finds one broker, even if many sessions start it at the same time', async (context) => {
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

  it('has an agent’s rights', async (context) => {
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

  it('gets its input, and does not consume unread input', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const action = { input: '{"kind": "command", "command": "ls"}' };
    const judged = await agent.guardkit(['guard', 'test', '--action', '-', '--json'], action);
    expect(JSON.parse(judged.stdout)).toMatchObject({ decision: 'allow' });
    const loop = 'while read -r id; do $GUARDKIT task show "$id" > /dev/null && echo "$id"; done';
    const { stdout } = await agent.shell(loop, { input: 'TASK-001\nTASK-001\n' });
    expect(stdout).toBe('TASK-001\nTASK-001\n');
  });

  it.each(
    rows(2, [
      ['accept src/sub.js'],
      ['guard allow secrets --once --reason x'],
      ['init --yes'],
      ['uninstall'],
      ['doctor --fix'],
      ['evidence TASK-001 --vouch ui --reason fine'],
    ]),
  )('is refused person-only commands: %s', async (line) => {
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

  it('writes no file outside the wrapper from an argument, even with a hand-made message', async (context) => {
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

  it('merges graphs for git inside the wrapper', async (context) => {
    await bubblewrap(context);
    project.write({ 'a.dot': 'digraph knowledge {\n}\n', 'b.dot': 'digraph knowledge {\n}\n' });
    const { exitCode } = await agent.guardkit(['knowledge', 'merge', 'a.dot', 'a.dot', 'b.dot']);
    expect(exitCode).toBe(0);
  });
});

describe('verification of an agent’s work', () => {
  it('has the person’s environment, not the agent’s', async (context) => {
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
