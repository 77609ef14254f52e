import { expect, test } from 'vitest';
import type { StatusFacts } from '../../../src/interfaces/cli/status/gather-status.ts';
import { describeStatus } from '../../../src/interfaces/cli/status/status.ts';
import { unseenChanges } from '../../../src/store/ledger/unseen-changes.ts';
import { DayGround, PERSON, PROGRAM, PROJECT } from './day-ground.ts';

test('without hooks protection is off, and the next step installs them', async () => {
  const ground = new DayGround();
  expect(await ground.json(['status'])).toMatchObject({
    project: PROJECT,
    protection: { tier: 'off', paused: null },
    next: ['guardkit init --agent claude'],
  });
});

test('a pause, the last five refusals and unseen changes are shown', async () => {
  const ground = new DayGround();
  for (const n of [1, 2, 3, 4, 5, 6]) ground.refuse(`Edit tasks/TASK-${n}.md`);
  ground.notice('.git/hooks/pre-commit', true);
  ground.record('protection_paused', {
    until: new Date(Date.now() + 60_000).toISOString(),
    reason: '',
    by: 'Ada',
  });
  const status = await ground.json<{ refusals: { text: string }[] }>(['status']);
  expect(status).toMatchObject({
    protection: { paused: { by: 'Ada' } },
    changes: [{ path: '.git/hooks/pre-commit', agents_running: true }],
  });
  expect(status.refusals.map(({ text }) => /TASK-\d/.exec(text)?.[0])).toEqual(
    [2, 3, 4, 5, 6].map((n) => `TASK-${n}`),
  );
});

test('changes stay until a person has seen them on a terminal', async () => {
  const ground = new DayGround();
  ground.notice('.git/hooks/pre-commit');
  ground.notice('.claude/agents/new.md');
  const unseen = () => unseenChanges(ground.ledger, PROJECT).length;
  await ground.sandbox.guardkit(['status'], PROGRAM);
  await ground.sandbox.guardkit(['status', '--json'], PERSON);
  await ground.sandbox.guardkit(['status', '--dry-run'], PERSON);
  expect(unseen()).toBe(2);
  const { stdout } = await ground.sandbox.guardkit(['status'], PERSON);
  expect(stdout).toContain('.git/hooks/pre-commit');
  expect(unseen()).toBe(0);
  expect((await ground.sandbox.guardkit(['status'], PERSON)).stdout).not.toContain('pre-commit');
});

test('changes that did not fit on the page are not marked as seen', async () => {
  const ground = new DayGround();
  for (const n of [1, 2, 3, 4, 5, 6, 7]) ground.notice(`.claude/agents/${n}.md`);
  await ground.sandbox.guardkit(['status'], PERSON);
  expect(unseenChanges(ground.ledger, PROJECT).map(({ path }) => path)).toEqual([
    '.claude/agents/6.md',
    '.claude/agents/7.md',
  ]);
});

test('the page stays under 40 lines and within the width, however much there is', () => {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const long = 'x'.repeat(300);
  const many = <Item>(item: (n: number) => Item): Item[] => Array.from({ length: 30 }, (_, n) => item(n));
  const facts: StatusFacts = {
    project: PROJECT,
    root: '/home/ada/shop',
    now,
    protection: {
      tier: 'none',
      why: long,
      improve: 'guardkit doctor --fix',
      paused: { until: at, reason: long, by: 'Ada' },
    },
    hooks: { answers: false, code: 'no-sandbox' as const, why: 'no sandbox', process: null },
    unguarded: many((n) => ({ agent: 'codex', title: 'Codex', session: `s-${n}`, began: at })),
    waivers: many((n) => ({ id: `w-${n}`, guard: 'g', until: at, uses: undefined, reason: long, by: 'Ada' })),
    pending: many((n) => ({
      path: `tasks/${n}${long}.md`,
      change: 'added',
      needs: n % 2 === 0 ? 'acceptance' : 'commit',
    })),
    changes: many((number) => ({
      number,
      at,
      path: `a/${number}`,
      absolute: `/a/${number}`,
      checkout: '/',
      change: 'added',
      hash: null,
      mode: null,
      what: long,
      agents_running: true,
    })),
    builds: many((n) => ({ feature: `FEAT-${n}`, pid: n, since: at })),
    built: many((n) => ({
      feature: `FEAT-${n}`,
      outcome: n % 2 === 0 ? ('approved' as const) : ('failed' as const),
      why: long,
    })),
    paused: many(() => ({ driven_by: 'run' as const, since: at, why: long })),
    sessions: [],
    refusals: many((number) => ({
      number,
      at,
      kind: 'refusals' as const,
      word: 'refused',
      text: long,
      who: [],
    })).slice(0, 5),
    restored: 3,
  };
  const lines = describeStatus(facts, 100, true).split('\n');
  expect(lines.length).toBeLessThan(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines.filter((line) => line.startsWith('30 ') && line.includes('Codex'))).toHaveLength(1);
});

const BUILD_BEGAN = {
  build_id: 'B-1',
  feature_id: 'FEAT-KILLED',
  only_tasks: [],
  base_commit: 'a'.repeat(40),
  definition_hash: 'a',
  branch: 'guardkit/FEAT-KILLED',
  worktree: '/worktree',
  player_driver: 'script',
  coach_driver: 'script',
  max_turns: 5,
};

test('builds that ended are listed until they are merged or discarded, with the command for each', async () => {
  const ground = new DayGround();
  const build = (feature_id: string, outcome: string) =>
    ground.record('build_ended', { build_id: `B-${feature_id}`, feature_id, outcome, why: '', cost_usd: 0 });
  build('FEAT-DONE', 'approved');
  build('FEAT-LONG', 'max_turns');
  build('FEAT-GONE', 'approved');
  ground.record('feature_discarded', {
    feature_id: 'FEAT-GONE',
    tip: null,
    kept: null,
    reason: '',
    by: 'Ada',
  });
  ground.record('build_began', BUILD_BEGAN);
  expect(await ground.json(['status'])).toMatchObject({
    built: [
      { feature: 'FEAT-KILLED', outcome: 'interrupted' },
      { feature: 'FEAT-LONG', outcome: 'max_turns' },
      { feature: 'FEAT-DONE', outcome: 'approved' },
    ],
    next: expect.arrayContaining(['guardkit feature complete FEAT-DONE']),
  });
  ground.sandbox.write('shop/.claude/progress/feature-list.json', {
    features: ['FEAT-DONE', 'FEAT-LONG', 'FEAT-GONE', 'FEAT-NEW'].map((id) => ({ id, description: id })),
  });
  const { features } = await ground.json<{ features: object[] }>(['feature', 'list']);
  expect(features).toMatchObject([
    { id: 'FEAT-DONE', running: false, last_build: { outcome: 'approved' } },
    { id: 'FEAT-LONG', running: false, last_build: { outcome: 'max_turns' } },
    { id: 'FEAT-GONE', running: false, last_build: null },
    { id: 'FEAT-NEW', running: false, last_build: null },
  ]);
  const { stdout } = await ground.sandbox.guardkit(['feature', 'list'], PROGRAM);
  expect(stdout).toMatch(/FEAT-DONE .*approved, not merged/);
});

test('in a linked checkout, the hooks and the wrapper of the main one count', async () => {
  const ground = new DayGround();
  const { sandbox } = ground;
  sandbox.git('shop', 'worktree', 'add', '--detach', sandbox.path('beside'));
  const protection = async (folder: string) =>
    (await ground.json<{ protection: { tier: string } }>(['status'], { in: folder })).protection;
  expect(await protection('beside')).toMatchObject({ tier: 'off' });
  await sandbox.guardkit(['init', '--yes', '--no-try', '--agent', 'claude'], PERSON);
  const main = await protection('shop');
  expect(main.tier).not.toBe('off');
  expect(await protection('beside')).toEqual(main);
});
