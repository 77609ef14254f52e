import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listContext } from '../../src/enforcement/feature-list/known-list.ts';
import { applyEvent } from '../../src/orchestration/session-record/apply-event.ts';
import { openSessions } from '../../src/orchestration/session-record/kept-session.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { recordFeatures } from '../../src/store/ledger/tables/feature-table.ts';
import { buildCli } from '../support/cli-worker.ts';
import { type PlayedFeature, RunProject, turnOf } from '../support/run-project.ts';
import { further } from '../support/thorough.ts';
import { TWELVE_CONFIG } from '../support/twelve-features.ts';
import type { RunJson } from './killed-run.ts';

const good = turnOf({ 'F1.txt': 'here\n' }, 'F1 is there');
const slow = { ...good, player: { ...good.player, run: ['sleep 60'] } };

let worker = '';
const made: RunProject[] = [];
beforeAll(async () => {
  worker = await buildCli();
});
afterAll(() => {
  for (const project of made) project.cleanup();
});

function fileFeature(id: string, turns: readonly unknown[]): PlayedFeature {
  const verify = { checks: [{ name: `${id} is there`, command: `test -s ${id}.txt` }] };
  return { id, type: 'documentation', verify, turns };
}

function slowProject(more: readonly PlayedFeature[] = []): RunProject {
  const project = new RunProject([fileFeature('F1', [slow, good]), ...more], TWELVE_CONFIG);
  made.push(project);
  return project;
}

/** Starts a run, and does something once its agent is at work. */
async function interrupt(
  project: RunProject,
  how: (signal: (name: NodeJS.Signals) => void) => void,
  args: readonly string[] = [],
): Promise<{ code: number | null; json: RunJson; stderr: string }> {
  const child = spawn(process.execPath, [worker, ...project.runArguments(['--json-events', ...args])], {
    cwd: project.path(),
    env: project.sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let isDone = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (isDone || !/"type":"agent_did".*write/.test(stderr)) return;
    isDone = true;
    how((name) => child.kill(name));
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, json: JSON.parse(stdout) as RunJson, stderr };
}

it('Ctrl-C ends the agent and pauses the run, and the next run continues the same attempt [RUN-2]', async () => {
  const project = slowProject();
  const { code, json, stderr } = await interrupt(project, (signal) => signal('SIGINT'));
  expect(code, stderr).toBe(1);
  expect(json).toMatchObject({ reason: 'paused', pause: 'cancelled' });
  const again = await project.guardkit(project.runArguments());
  const ended = JSON.parse(again.stdout) as RunJson;
  expect(ended.reason, again.stderr).toBe('all_done');
  expect(ended.session).toBe(json.session);
  expect(project.entries().filter(({ kind }) => kind === 'build_began')).toHaveLength(1);
});

further('abandoning a session from elsewhere ends its agent and the run', async () => {
  const project = slowProject();
  const { code, json, stderr } = await interrupt(project, () => {
    const ledger = openLedger({ path: join(project.sandbox.home, 'ledger.db') });
    try {
      const list = listContext(ledger, 'calc-1234', project.path(), project.sandbox.home);
      const [open] = openSessions(ledger, 'calc-1234');
      const at = new Date().toISOString();
      applyEvent({ list, changedBy: { inWindow: false } }, open?.session.session ?? '', {
        type: 'abandoned',
        at,
      });
    } finally {
      ledger.close();
    }
  });
  expect(code, stderr).toBe(1);
  expect(json).toMatchObject({ reason: 'abandoned', done: [], blocked: [] });
});

it('removing a feature while it is built ends its agent, and the run continues with the next', async () => {
  const project = slowProject([fileFeature('F2', [turnOf({ 'F2.txt': 'here\n' }, 'F2 is there')])]);
  const { code, json, stderr } = await interrupt(project, () => {
    const ledger = openLedger({ path: join(project.sandbox.home, 'ledger.db') });
    recordFeatures(ledger, 'calc-1234', { by: 'person', actor: 'me', features: [], removed: ['F1'] });
    ledger.close();
  });
  expect(code, stderr).toBe(0);
  expect(json).toMatchObject({ reason: 'all_done', done: [{ feature: 'F2' }], blocked: [] });
  expect(project.git('ls-tree', '-r', '--name-only', json.branch)).not.toContain('F1.txt');
  expect(project.entries().some(({ kind }) => kind === 'attempt_failed')).toBe(false);
});

further('the time limit ends the agent, and nothing counts as failed', async () => {
  const project = slowProject();
  const until = new Date(Date.now() + 7000).toISOString();
  const { code, json, stderr } = await interrupt(project, () => {}, ['--until', until]);
  expect(code, stderr).toBe(1);
  expect(json).toMatchObject({ reason: 'until', done: [], blocked: [], left: [{ feature: 'F1' }] });
  const again = await project.guardkit(project.runArguments());
  const ended = JSON.parse(again.stdout) as RunJson;
  expect(ended.done, again.stderr).toMatchObject([{ feature: 'F1' }]);
  expect(project.entries().some(({ kind }) => kind === 'attempt_failed')).toBe(false);
});
