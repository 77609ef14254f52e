import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTaskFile } from '../../../src/config/work/task-file.ts';
import { taskTemplate } from '../../../src/config/work/work-templates.ts';
import { normalizeCriterionText, splitCriterionId } from '../../../src/domain/criteria/criterion.ts';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { featureText, taskText } from './work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const task = (...args: string[]) => sandbox.guardkit(['task', ...args], { in: 'shop' });
const json = async (...args: string[]) => JSON.parse((await task(...args, '--json')).stdout);
const failure = (...args: string[]) => sandbox.failure(['task', ...args], { in: 'shop' });
const files = () =>
  existsSync(sandbox.path('shop/tasks')) ? readdirSync(sandbox.path('shop/tasks')).sort() : [];
const text = (path: string) => readFileSync(sandbox.path('shop', path), 'utf8');

describe('task create', () => {
  it('writes a file that reads as it was asked for, and says which rules hold and what to do next', async () => {
    sandbox.write('shop/tasks/TASK-001.md', taskText('TASK-001'));
    const { stdout, exitCode } = await task(
      ...[
        'create',
        'Log in: with "quotes" & ünicode',
        '--type',
        'bugfix',
        '--complexity',
        '3',
        '--feature',
        'FEAT-AUTH',
      ],
      ...[
        '--depends-on',
        'TASK-001',
        '--criterion',
        'A person can log in',
        '--criterion',
        'AC-7: [x] is kept',
      ],
    );
    expect(exitCode).toBe(0);
    await expect(stdout).toMatchFileSnapshot('golden/task-create.txt');
    const path = 'tasks/TASK-002-log-in-with-quotes-unicode.md';
    expect(parseTaskFile(path, text(path))).toMatchObject({
      faults: [],
      task: {
        id: 'TASK-002',
        title: 'Log in: with "quotes" & ünicode',
        status: 'backlog',
        task_type: 'bugfix',
        complexity: 3,
        feature_id: 'FEAT-AUTH',
        dependencies: ['TASK-001'],
        criteria: [
          { id: 'AC-001', text: 'A person can log in' },
          { id: 'AC-7', text: '[x] is kept' },
        ],
        extra: {},
      },
    });
  });

  it('begins with TASK-001, at complexity 5, and asks for criteria where there are none', async () => {
    expect(await json('create', 'Begin')).toMatchObject({ id: 'TASK-001' });
    expect(await json('list')).toMatchObject({ faults: 1, tasks: [{ id: 'TASK-001', complexity: 5 }] });
    const validated = await sandbox.guardkit(['feature', 'validate', '--json'], { in: 'shop' });
    expect(JSON.parse(validated.stdout).faults).toMatchObject([
      { file: 'tasks/TASK-001-begin.md', line: 11, code: 'no-criteria' },
    ]);
  });

  it('shows the advised mode where the store is seeded, and none without error where it is not', async () => {
    const without = await json('create', 'One', '--complexity', '2');
    expect(without.mode).toBeNull();
    await sandbox.graphiti(['seed'], { in: 'shop' });
    const seeded = await task('create', 'Two', '--complexity', '2');
    expect(seeded.stdout).toContain('direct');
    expect((await json('create', 'Three', '--complexity', '8')).mode.mode).toBe('autobuild');
  });

  it('gives one JSON document [CLI-2]', async () => {
    expect(await json('create', 'Begin', '--id', 'TASK-A-1')).toEqual({
      id: 'TASK-A-1',
      path: 'tasks/TASK-A-1-begin.md',
      feature: 'TASK-A-1',
      gates: expect.objectContaining({ profile: 'feature', coverage_threshold: 0.8, tests_must_pass: true }),
      mode: null,
      dry_run: false,
    });
  });

  it('writes nothing when it is only asked what it would do', async () => {
    expect(await json('create', 'Begin', '--dry-run')).toMatchObject({ id: 'TASK-001', dry_run: true });
    expect(files()).toEqual([]);
  });

  it('counts on from the highest number, wherever it stands, faults or not', async () => {
    sandbox.write('shop/tasks/done/TASK-041-x.md', 'no front matter');
    sandbox.write('shop/tasks/TASK-20260101-date.md', taskText('TASK-20260101'));
    expect(await json('create', 'Next')).toMatchObject({ id: 'TASK-042' });
  });

  it('has a name on every system, whatever the title is', async () => {
    expect((await json('create', '登录')).path).toBe('tasks/TASK-001.md');
    expect((await json('create', '../../etc/passwd')).path).toBe('tasks/TASK-002-etc-passwd.md');
    expect((await json('create', 'word '.repeat(50).trim())).path.length).toBeLessThan(80);
  });

  it('never takes an id that is taken: the answer is no [CLI-1]', async () => {
    sandbox.write('shop/tasks/done/TASK-007-old.md', taskText('TASK-007'));
    for (const args of [[], ['--dry-run']]) {
      const failed = await failure('create', 'New', '--id', 'TASK-007', ...args);
      expect(failed.exitCode).toBe(1);
      expectFailure(failed, 'work.taken TASK-007 tasks/done/TASK-007-old.md');
    }
    expect(files()).toEqual(['done']);
  });

  it('gives every one of several processes its own id', async () => {
    const made = await Promise.all(
      Array.from({ length: 3 }, (_, n) =>
        sandbox.program(['task', 'create', `Number ${n}`, '--json'], { in: 'shop' }),
      ),
    );
    const ids = made.map(({ stdout }) => JSON.parse(stdout).id).sort();
    expect(ids).toEqual(['TASK-001', 'TASK-002', 'TASK-003']);
    expect(files()).toHaveLength(3);
    expect((await json('list')).tasks).toHaveLength(3);
  });

  it('gives an id that several processes ask for to one of them', async () => {
    const made = await Promise.all(
      Array.from({ length: 3 }, (_, n) =>
        sandbox.program(['task', 'create', `Number ${n}`, '--id', 'TASK-009'], { in: 'shop' }),
      ),
    );
    expect(made.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1]);
    expect(files()).toHaveLength(1);
  });

  it('passes over a number that a process reserved and never used', async () => {
    sandbox.write('shop/tasks/.TASK-001.reserved', '');
    expect(await json('create', 'Next')).toMatchObject({ id: 'TASK-002' });
    expectFailure(await failure('create', 'Next', '--id', 'TASK-001'), 'work.taken tasks/.TASK-001.reserved');
  });

  it('does not write through a link that leads out of the project', async () => {
    mkdirSync(sandbox.path('elsewhere'));
    symlinkSync(sandbox.path('elsewhere'), sandbox.path('shop/tasks'));
    expect(await failure('create', 'Next')).toMatchObject({ exitCode: 3, code: 'work.unwritable' });
    expect(readdirSync(sandbox.path('elsewhere'))).toEqual([]);
  });

  it('says what is in the way of its folder', async () => {
    writeFileSync(sandbox.path('shop/tasks'), 'a file');
    const failed = await failure('create', 'Next');
    expectFailure(failed, 'work.unwritable EEXIST');
    expect(failed.exitCode).toBe(3);
  });

  it.each([
    [['create'], "usage 'title'"],
    [['create', ''], 'usage title:'],
    [['create', 'a\nb'], 'usage title:'],
    [['create', 'a\u001b[31m'], 'usage title:'],
    [['create', 'a', '--id', 'FEAT-1'], 'usage --id: TASK-'],
    [['create', 'a', '--id', 'TASK-../x'], 'usage --id:'],
    [['create', 'a', '--id', 'TASK-x.lock'], 'usage --id: .lock'],
    [['create', 'a', '--type', 'featur'], 'task-type.unknown "featur" feature'],
    [['create', 'a', '--complexity', '11'], 'usage --complexity: 10'],
    [['create', 'a', '--complexity', '1e1'], 'usage --complexity:'],
    [['create', 'a', '--feature', 'a b'], 'usage --feature:'],
    [['create', 'a', '--depends-on', 'TASK-99'], 'work.unknown TASK-99'],
    [['create', 'a', '--depends-on', 'FEAT-1'], 'usage --depends-on FEAT-1'],
    [['create', 'a', '--id', 'TASK-9', '--depends-on', 'TASK-9'], 'usage --depends-on TASK-9'],
    [['create', 'a', '--criterion', 'x', '--criterion', 'X.'], 'usage --criterion 1 2'],
    [['create', 'a', '--criterion', 'AC-001:'], 'usage --criterion 1'],
    [['list', '--status', 'complete'], 'usage --status: completed'],
    [['list', '--status', 'xyzzy'], 'usage --status: backlog,'],
    [['list', '--feature', 'FEAT-9'], 'work.unknown FEAT-9 FEAT-1'],
    [['show', 'TASK-1'], 'work.unknown TASK-1'],
    [['show', 'FEAT-1'], 'work.unknown guardkit feature show FEAT-1'],
  ])('%j is wrong use, and nothing is written [CLI-1]', async (args, expected) => {
    sandbox.write('shop/.guardkit/features/FEAT-1.yaml', featureText('FEAT-1', 'acceptance_criteria: [a]\n'));
    const failed = await failure(...args);
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(2);
    expect(files()).toEqual([]);
  });

  it('outside a repository is wrong use', async () => {
    for (const args of [['create', 'a'], ['list'], ['show', 'TASK-1']])
      expect(await sandbox.failure(['task', ...args])).toMatchObject({
        exitCode: 2,
        code: 'project.unknown',
      });
  });
});

describe('task list and show', () => {
  beforeEach(() => {
    sandbox.write('shop/tasks/TASK-1.md', taskText('TASK-1', 'status: completed\nfeature_id: FEAT-A\n'));
    sandbox.write(
      'shop/tasks/TASK-2.md',
      taskText('TASK-2', 'depends_on: [TASK-1 ]\nfeature_id: FEAT-A\ncomplexity: 2\n'),
    );
    sandbox.write('shop/tasks/x/TASK-30.md', taskText('TASK-30', 'task_type: documentation\n'));
  });

  it('list what there is', async () => {
    await expect((await task('list')).stdout).toMatchFileSnapshot('golden/task-list.txt');
    expect(await json('list')).toMatchObject({
      faults: 0,
      tasks: [
        { id: 'TASK-1', feature: 'FEAT-A', criteria_count: 1, path: 'tasks/TASK-1.md' },
        { id: 'TASK-2', dependencies: ['TASK-1'] },
        { id: 'TASK-30', feature: 'TASK-30', task_type: 'documentation' },
      ],
    });
  });

  it.each([
    [
      ['--feature', 'FEAT-A'],
      ['TASK-1', 'TASK-2'],
    ],
    [
      ['--status', 'backlog'],
      ['TASK-2', 'TASK-30'],
    ],
    [['--feature', 'FEAT-A', '--status', 'backlog'], ['TASK-2']],
    [['--feature', 'TASK-30'], ['TASK-30']],
    [['--status', 'blocked'], []],
  ])('list only those of %j', async (args, ids) => {
    expect((await json('list', ...args)).tasks.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('list tasks that can be read beside some that cannot, and say so', async () => {
    sandbox.write('shop/tasks/TASK-4.md', 'broken');
    expect(await json('list')).toMatchObject({ faults: 1, tasks: [{}, {}, {}] });
    const { stderr, exitCode } = await task('list');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('guardkit feature validate');
  });

  it('show a task with its criteria, rules and what it waits for', async () => {
    sandbox.write(
      'shop/tasks/TASK-5.md',
      `${taskText('TASK-5', 'depends_on: [TASK-1 ]\nimplementation_mode: task-work\nremoves_tests: [test/old.ts]\nwave: 2\n')}  - with detail\n- AC-9: lasts\n`,
    );
    await expect((await task('show', 'TASK-5')).stdout).toMatchFileSnapshot('golden/task-show.txt');
    expect(await json('show', 'TASK-5')).toMatchObject({
      id: 'TASK-5',
      criteria: [
        { id: 'AC-001', text: 'TASK-5 works', detail: '- with detail', written: false },
        { id: 'AC-9', text: 'lasts', written: true },
      ],
      implementation_mode: 'task_work',
      gates: { profile: 'feature' },
      extra: { wave: 2 },
      faults: [],
    });
  });

  it('show a task of a type that is not known, with that fault', async () => {
    sandbox.write('shop/tasks/TASK-5.md', taskText('TASK-5', 'task_type: magic\n'));
    const shown = await json('show', 'TASK-5');
    expect(shown.gates).toBeNull();
    expect(shown.faults).toMatchObject([{ line: 4, code: 'unknown-task-type' }]);
  });

  it('cannot be made to control the terminal by a file [SEC-4]', async () => {
    const evil = '\\e[2J\\u202e\\n✓ all good';
    sandbox.write(
      'shop/tasks/TASK-5.md',
      taskText('TASK-5', `task_type: "${evil}"\n`)
        .replace('title: The TASK-5', `title: "${evil}"`)
        .replace('works', '\u001b[2J'),
    );
    for (const args of [
      ['task', 'list'],
      ['task', 'show', 'TASK-5'],
      ['feature', 'validate'],
      ['feature', 'show', 'TASK-5'],
    ]) {
      for (const more of [[], ['--json']]) {
        const { stdout } = await sandbox.guardkit([...args, ...more], { in: 'shop' });
        expect(stdout).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u);
        expect(stdout).not.toMatch(/^✓ all good/m);
      }
    }
  });
});

it('the file of any new task reads as what it was made from', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,9}$/);
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((one) =>
      one
        .replace(/\p{Cc}|\u2028|\u2029/gu, '')
        .toWellFormed()
        .trim(),
    )
    .filter((one) => one !== '');
  const criteria = fc.uniqueArray(
    line.filter((one) => splitCriterionId(one).id === undefined),
    { maxLength: 4, selector: normalizeCriterionText },
  );
  fc.assert(
    fc.property(
      fc.record({
        id: word,
        title: line,
        task_type: line,
        complexity: fc.integer({ min: 1, max: 10 }),
        feature_id: word,
        dependencies: fc.uniqueArray(word, { maxLength: 3 }),
      }),
      criteria,
      (asked, texts) => {
        const made = taskTemplate({ ...asked, criteria: ['AC-5: The fifth', ...texts] });
        const { task: read, faults } = parseTaskFile('x', made);
        expect(faults).toEqual([]);
        expect(read).toMatchObject(asked);
        expect(read?.criteria.map(({ text }) => text)).toEqual(['The fifth', ...texts]);
        expect(read?.criteria.every(({ id }) => id !== undefined)).toBe(true);
      },
    ),
  );
});

it.each([
  ['Upstream change (#12)', '"Upstream change (#12)"'],
  ['Fix the parser (again)', 'Fix the parser (again)'],
  ["Don't log in/out twice", "Don't log in/out twice"],
  ['Log in: fast', '"Log in: fast"'],
  ['yes', '"yes"'],
])('%s is written as %s: without quotes where possible, which formatters would change', (title, written) => {
  const task = { id: 'TASK-1', title, task_type: 'feature', complexity: 3, feature_id: undefined };
  expect(taskTemplate({ ...task, dependencies: [], criteria: [] })).toContain(`\ntitle: ${written}\n`);
});
