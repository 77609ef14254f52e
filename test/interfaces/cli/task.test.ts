import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTaskFile } from '../../../src/config/task-file.ts';
import { taskTemplate } from '../../../src/config/work-templates.ts';
import { normalizeCriterionText, splitCriterionId } from '../../../src/domain/criterion.ts';
import { Sandbox } from '../../support/cli.ts';
import { featureText, taskText } from './work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
});
afterEach(() => sandbox.cleanup());

const task = (...args: string[]) => sandbox.guardkit(['task', ...args], { in: 'shop' });
const json = async (...args: string[]) => JSON.parse((await task(...args, '--json')).stdout);
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
    expect(stdout).toBe(
      [
        'Wrote tasks/TASK-002-log-in-with-quotes-unicode.md',
        'Feature: FEAT-AUTH, which is new: this is its first task',
        'Gates: tests that must pass, coverage 70 %, architecture review 50 (by the feature profile)',
        'Next: commit tasks/TASK-002-log-in-with-quotes-unicode.md (verification reads the committed file), then `guardkit feature-build TASK-002`, or do it yourself and `guardkit verify TASK-002`.',
        '',
      ].join('\n'),
    );
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
    const { stdout } = await task('create', 'Begin');
    expect(stdout).toContain('Next: write its acceptance criteria, commit tasks/TASK-001-begin.md');
    expect((await task('list')).stderr).toContain('1 fault');
    expect((await sandbox.guardkit(['feature', 'validate'], { in: 'shop' })).stdout).toContain(
      'tasks/TASK-001-begin.md:11:1: there are no acceptance criteria',
    );
  });

  it('shows the advised mode where the store is seeded, and none without error where it is not', async () => {
    const without = await task('create', 'One', '--complexity', '2');
    expect(without).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('memory is off') });
    expect(without.stdout).not.toContain('Suggested mode');
    await sandbox.graphiti(['seed'], { in: 'shop' });
    const seeded = await task('create', 'Two', '--complexity', '2');
    expect(seeded.stdout).toContain('💡 Suggested mode: direct (minimal ceremony)');
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
      const { exitCode, stderr } = await task('create', 'New', '--id', 'task-007'.toUpperCase(), ...args);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('The id TASK-007 is taken: tasks/done/TASK-007-old.md has it');
    }
    expect(files()).toEqual(['done']);
  });

  it('gives every one of many processes its own id', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        sandbox.program(['task', 'create', `Number ${n}`, '--json'], { in: 'shop' }),
      ),
    );
    const ids = made.map(({ stdout }) => JSON.parse(stdout).id).sort();
    expect(ids).toEqual(['TASK-001', 'TASK-002', 'TASK-003', 'TASK-004', 'TASK-005', 'TASK-006']);
    expect(files()).toHaveLength(6);
    expect((await json('list')).tasks).toHaveLength(6);
  });

  it('gives an id that several processes ask for to one of them', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        sandbox.program(['task', 'create', `Number ${n}`, '--id', 'TASK-009'], { in: 'shop' }),
      ),
    );
    expect(made.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1, 1]);
    expect(files()).toHaveLength(1);
  });

  it('passes over a number that a process reserved and never used', async () => {
    sandbox.write('shop/tasks/.TASK-001.reserved', '');
    expect(await json('create', 'Next')).toMatchObject({ id: 'TASK-002' });
    expect((await task('create', 'Next', '--id', 'TASK-001')).stderr).toContain(
      'remove tasks/.TASK-001.reserved',
    );
  });

  it('does not write through a link that leads out of the project', async () => {
    mkdirSync(sandbox.path('elsewhere'));
    symlinkSync(sandbox.path('elsewhere'), sandbox.path('shop/tasks'));
    const { exitCode, stderr } = await task('create', 'Next');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('leads out of the project');
    expect(readdirSync(sandbox.path('elsewhere'))).toEqual([]);
  });

  it('says what is in the way of its folder', async () => {
    writeFileSync(sandbox.path('shop/tasks'), 'a file');
    expect(await task('create', 'Next')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('EEXIST'),
    });
  });

  it.each([
    [['create'], "Missing required argument 'title'"],
    [['create', ''], 'title: a text is expected'],
    [['create', 'a\nb'], 'title: one line'],
    [['create', 'a\u001b[31m'], 'title: one line'],
    [['create', 'a', '--id', 'FEAT-1'], '--id: an id that begins with TASK- is expected'],
    [['create', 'a', '--id', 'TASK-../x'], '--id: an id is letters'],
    [['create', 'a', '--id', 'TASK-x.lock'], '--id: an id holds no'],
    [['create', 'a', '--type', 'featur'], 'Did you mean feature?'],
    [['create', 'a', '--complexity', '11'], '--complexity: a whole number from 1 to 10'],
    [['create', 'a', '--complexity', '1e1'], '--complexity: a whole number'],
    [['create', 'a', '--feature', 'a b'], '--feature: an id is letters'],
    [['create', 'a', '--depends-on', 'TASK-99'], 'There is no feature or task TASK-99'],
    [['create', 'a', '--depends-on', 'FEAT-1'], 'that is a feature'],
    [['create', 'a', '--id', 'TASK-9', '--depends-on', 'TASK-9'], 'cannot wait for itself'],
    [
      ['create', 'a', '--criterion', 'x', '--criterion', 'X.'],
      'Criterion 2: the same criterion stands as number 1',
    ],
    [['create', 'a', '--criterion', 'AC-001:'], 'Criterion 1: an id without a text'],
    [['list', '--status', 'complete'], '--status: there is no such status; did you mean completed?'],
    [['list', '--status', 'xyzzy'], '--status: one of backlog, '],
    [['list', '--feature', 'FEAT-9'], 'There is no feature or task FEAT-9. Did you mean FEAT-1?'],
    [['show', 'TASK-1'], 'There is no feature or task TASK-1.'],
    [['show', 'FEAT-1'], 'FEAT-1 is a feature, not a task'],
  ])('%j is wrong use, and nothing is written [CLI-1]', async (args, message) => {
    sandbox.write('shop/.guardkit/features/FEAT-1.yaml', featureText('FEAT-1', 'acceptance_criteria: [a]\n'));
    const { exitCode, stderr } = await task(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
    expect(files()).toEqual([]);
  });

  it('outside a repository is wrong use', async () => {
    for (const args of [['create', 'a'], ['list'], ['show', 'TASK-1']])
      expect(await sandbox.guardkit(['task', ...args])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('git'),
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
    expect((await task('list')).stdout).toBe(
      [
        '3 tasks',
        '  TASK-1   completed    feature 5: The TASK-1 [FEAT-A]',
        '  TASK-2   backlog      feature 2: The TASK-2 [FEAT-A]',
        '  TASK-30  backlog      documentation 5: The TASK-30',
        '',
      ].join('\n'),
    );
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
    const { stdout, stderr, exitCode } = await task('list');
    expect({ exitCode, lines: stdout.split('\n')[0] }).toEqual({ exitCode: 0, lines: '3 tasks' });
    expect(stderr).toBe('1 fault in task and feature files: `guardkit feature validate` lists them.\n');
  });

  it('show a task with its criteria, rules and what it waits for', async () => {
    sandbox.write(
      'shop/tasks/TASK-5.md',
      `${taskText('TASK-5', 'depends_on: [TASK-1 ]\nimplementation_mode: task-work\nremoves_tests: [test/old.ts]\nwave: 2\n')}  - with detail\n- AC-9: lasts\n`,
    );
    expect((await task('show', 'TASK-5')).stdout).toBe(
      [
        'TASK-5: The TASK-5',
        '  file         tasks/TASK-5.md',
        '  status       backlog',
        '  type         feature, complexity 5',
        '  waits for    TASK-1',
        '  mode         task_work',
        '  gates        tests that must pass, coverage 80 %, architecture review 60',
        '  removes      test/old.ts',
        '',
        'Acceptance criteria:',
        '  AC-001 (not written in the file): TASK-5 works',
        '    - with detail',
        '  AC-9: lasts',
        '',
      ].join('\n'),
    );
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
    expect(shown.faults).toMatchObject([{ line: 4, message: 'there is no task type "magic"' }]);
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
