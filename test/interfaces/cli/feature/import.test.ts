import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, Sandbox } from '../../../support/cli.ts';
import { expectFailure } from '../../../support/expect-failure.ts';
import { taskText } from '../work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const LIST = 'shop/.claude/progress/feature-list.json';
const CHECKLIST = '- [x] FEAT-1: People log in\n  - A form\n- [ ] FEAT-2: People log out\n';
const feature = (args: string[], options: RunOptions = {}) =>
  sandbox.guardkit(['feature', ...args], { in: 'shop', ...options });
const failure = (args: string[], options: RunOptions = {}) =>
  sandbox.failure(['feature', ...args], { in: 'shop', ...options });
const text = () => readFileSync(sandbox.path(LIST), 'utf8');
const listed = () => JSON.parse(text()).features;

describe('feature import', () => {
  it('adds what a checklist says, untested whatever it claims, and says so', async () => {
    sandbox.write('shop/PLAN.md', CHECKLIST);
    const { stdout, stderr, exitCode } = await feature(['import', 'PLAN.md', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ added: ['FEAT-1', 'FEAT-2'], untested: ['FEAT-1'] });
    expect(stderr).toContain('guardkit verify');
    expect(listed()).toMatchObject([
      {
        id: 'FEAT-1',
        status: 'completed',
        tested: false,
        evidence: [],
        acceptance_criteria: [{ id: 'AC-001', text: 'A form' }],
      },
      { id: 'FEAT-2', status: 'pending', tested: false },
    ]);
  });

  it('adds nothing twice, and leaves what is known as far as it has come', async () => {
    const list = [
      { category: 'style', description: 'Dark mode', steps: ['Open it', 'See it'], passes: true },
      { category: 'style', description: 'Light mode', steps: ['Open it'], passes: false },
    ];
    sandbox.write('feature_list.json', list);
    await feature(['import', '../feature_list.json']);
    const [dark] = listed();
    await feature(['edit', dark.id, '--notes', 'looked at']);
    const before = text();
    const { stdout } = await feature(['import', '../feature_list.json', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'quickstart',
      added: [],
      untested: [],
      dry_run: false,
    });
    expect(text()).toBe(before);
    sandbox.write('feature_list.json', [{ description: 'Third' }, ...list]);
    const third = await feature(['import', '../feature_list.json', '--json']);
    const { added, known } = JSON.parse(third.stdout);
    expect([added, known].map((ids) => ids.length)).toEqual([1, 2]);
    expect(listed()).toHaveLength(3);
  });

  it('takes its own list from standard input', async () => {
    const features = [{ id: 'F1', description: 'a', tested: true, dependencies: ['F9'], priority: 'high' }];
    const { stderr } = await feature(['import', '-'], { input: JSON.stringify({ features }) });
    expect(stderr).toContain('F9');
    expect(listed()).toMatchObject([{ id: 'F1', priority: 2, tested: false }]);
  });

  it('says what would be added, and makes neither ledger nor list [CLI-2]', async () => {
    const { stdout } = await feature(['import', '-', '--dry-run', '--json'], { input: CHECKLIST });
    expect(JSON.parse(stdout)).toEqual({
      format: 'checklist',
      added: ['FEAT-1', 'FEAT-2'],
      known: [],
      untested: ['FEAT-1'],
      dry_run: true,
    });
    expect(existsSync(sandbox.path(LIST))).toBe(false);
    expect(existsSync(sandbox.home)).toBe(false);
  });

  it.each([
    ['a file that is not there', ['import', 'none.md'], '', 'file.unreadable none.md', 2],
    ['what is no list', ['import', '-'], 'words', 'import.unreadable', 2],
    [
      'a list with a fault',
      ['import', '-'],
      '[{"id": "F1"}, {"id": "../x"}]',
      'import.unreadable .features[1].id',
      2,
    ],
    ['the id of a task', ['import', '-'], '- [ ] TASK-1: a', 'feature.refused TASK-1.id', 1],
    [
      'features that wait for each other',
      ['import', '-'],
      '[{"id": "A", "dependencies": ["B"]}, {"id": "B", "dependencies": ["A"]}]',
      'feature.refused A.dependencies',
      1,
    ],
  ])('refuses %s, and imports nothing [CLI-1]', async (_case, args, input, expected, exit) => {
    sandbox.write('shop/tasks/TASK-1.md', taskText('TASK-1', 'feature_id: FEAT-B\n'));
    const failed = await failure(args, { input });
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(exit);
    expect(existsSync(sandbox.path(LIST))).toBe(false);
  });

  it('lets an agent import no blocked feature, as it may add none', async () => {
    const input = '[{"id": "F1", "description": "a", "status": "blocked"}]';
    const failed = await failure(['import', '-'], { input, env: { CLAUDECODE: '1' } });
    expectFailure(failed, 'feature.refused F1.status blocked');
    expect(failed.exitCode).toBe(1);
    expect(existsSync(sandbox.path(LIST))).toBe(false);
  });
});
