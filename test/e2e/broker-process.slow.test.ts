import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allProcesses, commandOf, readProcess } from '../../src/platform/processes/process-table.ts';
import { bubblewrap } from '../support/bubblewrap.ts';
import { PROGRAM } from '../support/cli.ts';
import { hasEnded } from '../support/ended.ts';
import { HONEST_CHANGE, MEASURED_FILES, VerifiedProject } from '../support/verified-project.ts';
import { WrappedAgent } from '../support/wrapped-agent.ts';

let project: VerifiedProject;
let agent: WrappedAgent;

beforeAll(async () => {
  project = new VerifiedProject(MEASURED_FILES);
  project.write(HONEST_CHANGE);
  project.commit('Subtract');
  await project.guardkit(['init', '--yes', '--no-agent']);
  agent = new WrappedAgent(project.sandbox, project.name);
});
afterAll(() => {
  agent.endBrokers('SIGKILL');
  project.cleanup();
});

function errorCode(stdout: string): string {
  return (JSON.parse(stdout) as { error: { code: string } }).error.code;
}

describe('a long verification inside the wrapper', () => {
  const SLOW = `import test from 'node:test';
test('AC-001 subtracts', async () => { await new Promise((resolve) => setTimeout(resolve, 300_000)); });
`;

  async function startSlow() {
    project.write({ 'test/sub.test.js': SLOW });
    project.commit('Take long');
    const running = agent.start([process.execPath, PROGRAM, 'verify', 'TASK-001', '--json']);
    // Its first progress line comes from outside.
    await once(running.child.stderr as NodeJS.ReadableStream, 'data');
    const [outside] = verifications();
    expect(outside).toBeDefined();
    return { ...running, outside: Number(outside) };
  }

  /** The broker’s verifying children. */
  function verifications(): number[] {
    const brokers = agent.brokers();
    return allProcesses().filter(
      (pid) => brokers.includes(readProcess(pid)?.parent ?? 0) && (commandOf(pid) ?? []).includes('verify'),
    );
  }

  it('is aborted by Ctrl-C, and ends before its client', async (context) => {
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
  it('opens no inspector on SIGUSR1', async (context) => {
    await bubblewrap(context);
    await agent.startBroker();
    const [pid = 0] = agent.brokers();
    const sockets = () =>
      readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'));
    // Only its own sockets: for agents' commands, for hooks and for the dashboard.
    await expect.poll(() => sockets().length).toBe(3);
    await agent.shell(`kill -USR1 ${pid}`);
    expect((await agent.guardkit(['feature', 'list'])).exitCode).toBe(0);
    await expect.poll(() => sockets().length).toBe(3);
  });

  it('has its own session and environment', async (context) => {
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
