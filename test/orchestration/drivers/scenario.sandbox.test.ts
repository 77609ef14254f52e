import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readScenario } from '../../../src/orchestration/drivers/scenario.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function file(text: string): string {
  const path = join(temporaryFolder(), 'scenario.yaml');
  writeFileSync(path, text);
  return path;
}

it('reads plan, turns and tasks', async () => {
  const scenario = await readScenario(
    file(`plan: "first this, then that"
turns:
  - player:
      write: {src/login.js: "text"}
      delete: [old.js]
      run: ["npm test"]
      cost_usd: 0.25
      report: {decision: implemented, criteria: {AC-001: verified}}
    coach:
      verdict: {decision: approved}
tasks:
  TASK-2:
    turns:
      - player: {fail: rate_limit, resets_in_seconds: 30}
`),
  );
  expect(scenario.turns?.[0]?.player).toEqual({
    write: { 'src/login.js': 'text' },
    delete: ['old.js'],
    run: ['npm test'],
    cost_usd: 0.25,
    report: { decision: 'implemented', criteria: { 'AC-001': 'verified' } },
  });
  expect(scenario.tasks?.['TASK-2']?.turns).toEqual([
    { player: { fail: 'rate_limit', resets_in_seconds: 30 } },
  ]);
});

it('accepts an invalid answer, because a scenario may show one', async () => {
  const scenario = await readScenario(file('turns: [{coach: {verdict: 42}}]'));
  expect(scenario.turns?.[0]?.coach).toEqual({ verdict: 42 });
});

it.each([
  ['turns:\n  - player: {writes: {a: b}}', /2:14: .*"turns\.0\.player\.writes".*\bwrite\b/],
  ['turns:\n  - coach: {write: {a: b}}', /2:13: .*"turns\.0\.coach\.write"/],
  ['turns:\n  - player: {write: {/etc/passwd: b}}', /2:\d+: turns\.0\.player\.write\b/],
  ['turns:\n  - player: {delete: [a/../../b]}', /2:\d+: turns\.0\.player\.delete\b/],
  ['turns:\n  - player: {fail: explode}', /2:\d+: turns.0.player.fail/],
  ['turns:\n  - player: {fail: crash, report: {}}', /2:\d+: turns\.0\.player\b/],
  ['turns:\n  - coach: {resets_in_seconds: 3}', /2:\d+: .*\bfail: rate_limit\b/],
  ['turns: []', /1:\d+: turns: /],
  ['plan: only', /1:\d+: turns: .*\btasks:/],
  ['', /1:1: turns/],
])('says what is wrong and where: %j', async (text, message) => {
  await expect(readScenario(file(text))).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringMatching(message),
  });
});

it('a missing scenario is an error', async () => {
  await expect(readScenario(join(temporaryFolder(), 'no.yaml'))).rejects.toMatchObject({
    code: 'scenario.not-found',
    kind: 'input',
  });
});
