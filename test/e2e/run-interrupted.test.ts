import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCli } from '../support/cli-worker.ts';
import { RunProject, turnOf } from '../support/run-project.ts';
import { TWELVE_CONFIG } from '../support/twelve-features.ts';
import type { RunJson } from './killed-run.ts';

const good = turnOf({ 'F1.txt': 'here\n' }, 'F1 is there');
const slow = { ...good, player: { ...good.player, run: ['sleep 60'] } };

let worker = '';
const project = new RunProject(
  [
    {
      id: 'F1',
      type: 'documentation',
      verify: { checks: [{ name: 'F1 is there', command: 'test -s F1.txt' }] },
      turns: [slow, good],
    },
  ],
  TWELVE_CONFIG,
);
beforeAll(async () => {
  worker = await buildCli();
});
afterAll(() => project.cleanup());

it('Ctrl-C ends the agent, the run rests, and the next one goes on with the same attempt [RUN-2]', async () => {
  const child = spawn(process.execPath, [worker, ...project.runArguments(['--json-events'])], {
    cwd: project.path(),
    env: project.sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let interrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    // Once: a second one would end it without more ado.
    if (!interrupted && /"type":"agent_did".*write/.test(stderr)) interrupted = child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, stderr).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ reason: 'paused', pause: 'cancelled' });
  const again = await project.guardkit(project.runArguments());
  const json = JSON.parse(again.stdout) as RunJson;
  expect(json.reason, again.stderr).toBe('all_done');
  expect(json.session).toBe((JSON.parse(stdout) as RunJson).session);
  const began = project.entries().filter(({ kind }) => kind === 'build_began');
  expect(began).toHaveLength(1);
});
