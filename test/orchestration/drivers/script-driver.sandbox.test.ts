import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptDriver } from '../../../src/orchestration/drivers/script-driver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { agentRequest } from './agent-request.ts';

it('plays turn by turn, and repeats the last turn', async () => {
  const driver = scriptDriver({ turns: [{ player: { report: 'one' } }, { player: { report: 'two' } }] });
  const answers = [];
  for (const turn of [1, 2, 3, 9]) answers.push((await driver.run(await agentRequest({ turn }))).end);
  expect(answers).toEqual(['one', 'two', 'two', 'two'].map((answer) => ({ type: 'answered', answer })));
});

it('a task has its own turns and plan, or else those of the scenario', async () => {
  const driver = scriptDriver({
    plan: 'of all',
    turns: [{ player: { report: 'of all' } }],
    tasks: { 'TASK-2': { plan: 'own', turns: [{ player: { report: 'own' } }] }, 'TASK-3': {} },
  });
  const answers = [];
  for (const taskId of ['TASK-1', 'TASK-2', 'TASK-3', 'constructor'])
    for (const role of ['planner', 'player'] as const)
      answers.push((await driver.run(await agentRequest({ taskId, role }))).end);
  expect(answers.map((end) => end.type === 'answered' && end.answer)).toEqual([
    ...['of all', 'of all'],
    ...['own', 'own'],
    ...['of all', 'of all'],
    ...['of all', 'of all'],
  ]);
});

it('a planner always has a plan', async () => {
  const driver = scriptDriver({ turns: [{}] });
  expect((await driver.run(await agentRequest({ role: 'planner' }))).end).toEqual({
    type: 'answered',
    answer: expect.stringContaining('# Plan'),
  });
});

it('writes, deletes and runs for real, in this order', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'old.txt'), '');
  writeFileSync(join(folder, 'run.sh'), '');
  chmodSync(join(folder, 'run.sh'), 0o755);
  const request = await agentRequest({ folder });
  await scriptDriver({
    turns: [
      {
        player: {
          write: { 'deep/er/a.txt': 'ä', 'run.sh': 'cat deep/er/a.txt > b.txt' },
          delete: ['old.txt', 'never.txt'],
          run: ['./run.sh', 'exit 7'],
          report: {},
        },
      },
    ],
  }).run(request);
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('ä');
  expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(existsSync(join(folder, 'old.txt'))).toBe(false);
  expect(request.activity).toEqual([
    'write deep/er/a.txt',
    'write run.sh',
    'delete old.txt',
    'delete never.txt',
    'exit 0: ./run.sh',
    'exit 7: exit 7',
  ]);
});

it('a refusal is reported, and the step continues', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const request = await agentRequest({ folder });
  const { end } = await scriptDriver({
    turns: [
      { player: { write: { '../a.txt': '', 'file/b.txt': '', 'c.txt': '' }, delete: ['.'], report: 'done' } },
    ],
  }).run(request);
  expect(end.type).toBe('answered');
  expect(existsSync(join(folder, 'c.txt'))).toBe(true);
  expect(request.activity).toEqual([
    expect.stringMatching(/^write \.\.\/a\.txt: ./),
    expect.stringMatching(/^write file\/b\.txt: E/),
    'write c.txt',
    expect.stringMatching(/^delete \.: ./),
  ]);
});

it('a rate limit occurs once in a turn, then the same turn continues', async () => {
  const driver = scriptDriver(
    { turns: [{ player: { fail: 'rate_limit', resets_in_seconds: 60, report: 'after' } }] },
    () => 1000,
  );
  const ends = [];
  for (const turn of [1, 1, 2]) ends.push((await driver.run(await agentRequest({ turn }))).end);
  expect(ends).toEqual([
    { type: 'rate_limited', why: expect.any(String), resetsAt: 61_000 },
    { type: 'answered', answer: 'after' },
    { type: 'rate_limited', why: expect.any(String), resetsAt: 61_000 },
  ]);
});

it('a step with fail set times out or crashes after its work', async () => {
  const folder = temporaryFolder();
  const driver = scriptDriver({
    turns: [{ player: { write: { a: '' }, fail: 'timeout' }, coach: { fail: 'crash' } }],
  });
  expect((await driver.run(await agentRequest({ folder, timeoutMs: 1500 }))).end).toEqual({
    type: 'timed_out',
    why: expect.stringContaining('1.5 s'),
  });
  expect(existsSync(join(folder, 'a'))).toBe(true);
  expect((await driver.run(await agentRequest({ folder, role: 'coach' }))).end.type).toBe('crashed');
});

it('reports the step’s cost, and more than the remaining budget is over budget', async () => {
  const driver = scriptDriver({
    turns: [{ player: { cost_usd: 0.5, report: 'done' }, coach: { verdict: {} } }],
  });
  const enough = await driver.run(await agentRequest({ budgetUsd: 0.5 }));
  expect([enough.end.type, enough.usage.costUsd]).toEqual(['answered', 0.5]);
  const short = await driver.run(await agentRequest({ budgetUsd: 0.4 }));
  expect([short.end.type, short.usage.costUsd]).toEqual(['over_budget', 0.5]);
  expect((await driver.run(await agentRequest({ role: 'coach' }))).usage.costUsd).toBe(0);
});

it("commands do not see GuardKit's secrets", async () => {
  const folder = temporaryFolder();
  const env = {
    PATH: process.env.PATH,
    GUARDKIT_DATABASE_URL: 'postgres://secret',
    ANTHROPIC_API_KEY: 'secret',
  };
  await scriptDriver({ turns: [{ player: { run: ['env > env.txt'], report: {} } }] }).run(
    await agentRequest({ folder, env }),
  );
  expect(readFileSync(join(folder, 'env.txt'), 'utf8')).not.toContain('secret');
});
