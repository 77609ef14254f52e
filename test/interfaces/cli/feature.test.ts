import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFeatureFile } from '../../../src/config/work/feature-file.ts';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';
import { expectFaults, fileAndLine } from '../../support/expect-faults.ts';
import { featureText, taskText } from './work-files.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/tasks/TASK-1.md', taskText('TASK-1', 'depends_on: [TASK-2 ]\n'));
  sandbox.write('shop/tasks/TASK-2.md', taskText('TASK-2'));
});
afterEach(() => sandbox.cleanup());

const feature = (...args: string[]) => sandbox.guardkit(['feature', ...args], { in: 'shop' });
const json = async (...args: string[]) => JSON.parse((await feature(...args, '--json')).stdout);
const failure = (...args: string[]) => sandbox.failure(['feature', ...args], { in: 'shop' });

describe('feature create', () => {
  it('writes a file that reads as it was asked for', async () => {
    expect(await json('create', 'Log: "in"', '--task', 'TASK-1', '--task', 'TASK-2', '--ui')).toMatchObject({
      id: 'FEAT-001',
      path: '.guardkit/features/FEAT-001.yaml',
    });
    const path = '.guardkit/features/FEAT-001.yaml';
    const text = readFileSync(sandbox.path('shop', path), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/schemas\/feature\.schema\.json\n/);
    expect(parseFeatureFile(path, text)).toMatchObject({
      faults: [],
      feature: { id: 'FEAT-001', name: 'Log: "in"', tasks: ['TASK-1', 'TASK-2'], ui: true },
    });
    expect((await feature('validate')).exitCode).toBe(0);
  });

  it('without tasks says how to get some, and its file what may stand in it', async () => {
    expect((await feature('create', 'Later')).stdout).toContain(
      'guardkit task create "TITLE" --feature FEAT-001',
    );
    expect((await json('validate')).faults).toMatchObject([{ code: 'empty-feature' }]);
    await sandbox.guardkit(['task', 'create', 'First', '--feature', 'FEAT-001', '--criterion', 'a'], {
      in: 'shop',
    });
    expect((await json('validate')).valid).toBe(true);
    expect((await json('show', 'FEAT-001')).tasks).toMatchObject([{ id: 'TASK-003', title: 'First' }]);
  });

  it('gives one JSON document, and writes nothing when only asked [CLI-2]', async () => {
    expect(await json('create', 'Auth', '--id', 'FEAT-AUTH', '--dry-run')).toEqual({
      id: 'FEAT-AUTH',
      path: '.guardkit/features/FEAT-AUTH.yaml',
      tasks: [],
      ui: false,
      dry_run: true,
    });
    expect(existsSync(sandbox.path('shop/.guardkit'))).toBe(false);
  });

  it.each([
    ['an id that is taken', ['--id', 'FEAT-A'], 'work.taken FEAT-A .guardkit/features/FEAT-A.yaml'],
    ['a task of another feature', ['--task', 'TASK-1'], 'work.owned TASK-1 .guardkit/features/FEAT-A.yaml'],
    ['a task that names another one', ['--task', 'TASK-3'], 'work.owned TASK-3 FEAT-B tasks/TASK-3.md'],
  ])('refuses %s: the answer is no [CLI-1]', async (_case, args, expected) => {
    sandbox.write('shop/.guardkit/features/FEAT-A.yaml', featureText('FEAT-A', 'tasks: [TASK-1 ]\n'));
    sandbox.write('shop/tasks/TASK-3.md', taskText('TASK-3', 'feature_id: FEAT-B\n'));
    const failed = await failure('create', 'New', ...args);
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(1);
    expect(existsSync(sandbox.path('shop/.guardkit/features/FEAT-001.yaml'))).toBe(false);
  });

  it('takes a task that names it already', async () => {
    sandbox.write('shop/tasks/TASK-3.md', taskText('TASK-3', 'feature_id: FEAT-B\n'));
    expect((await feature('create', 'B', '--id', 'FEAT-B', '--task', 'TASK-3')).exitCode).toBe(0);
    expect((await feature('validate')).exitCode).toBe(0);
  });

  it.each([
    [['create', 'a', '--id', 'TASK-1'], 'usage --id: FEAT-'],
    [['create', 'a', '--task', 'TASK-11'], 'work.unknown TASK-11 TASK-1?'],
    [['create', 'a', '--task', 'FEAT-E'], 'usage FEAT-E'],
    [['create', 'a', 'b'], 'usage guardkit feature create --help'],
    [['show', 'FEAT-X'], 'work.unknown FEAT-X'],
    [['validate', 'FEAT-X'], 'work.unknown FEAT-X'],
  ])('%j is wrong use [CLI-1]', async (args, expected) => {
    sandbox.write('shop/.guardkit/features/FEAT-E.yaml', featureText('FEAT-E', 'acceptance_criteria: [a]\n'));
    const failed = await failure(...args);
    expectFailure(failed, expected);
    expect(failed.exitCode).toBe(2);
  });
});

describe('feature list and show', () => {
  it('list features by their urgency, those that have no file too', async () => {
    sandbox.write(
      'shop/.guardkit/features/FEAT-A.yaml',
      featureText('FEAT-A', 'priority: 1\nacceptance_criteria: [a]\n'),
    );
    await expect((await feature('list')).stdout).toMatchFileSnapshot('golden/feature-list.txt');
    expect((await json('list')).features).toMatchObject([
      { id: 'FEAT-A', priority: 1 },
      { id: 'TASK-1', path: null },
      {},
    ]);
  });

  it('show the tasks of a feature in the order they can be done', async () => {
    sandbox.write(
      'shop/.guardkit/features/FEAT-A.yaml',
      featureText(
        'FEAT-A',
        'description: All of it\nui: true\ntasks: [TASK-1, TASK-2]\nverify: {tests: {command: npm test}}\n',
      ),
    );
    await expect((await feature('show', 'FEAT-A')).stdout).toMatchFileSnapshot('golden/feature-show.txt');
    expect(await json('show', 'TASK-1')).toMatchObject({
      id: 'FEAT-A',
      verify: { tests: { command: 'npm test' } },
      tasks: [{ id: 'TASK-2' }, { id: 'TASK-1', criteria: [{ id: 'AC-001', text: 'TASK-1 works' }] }],
    });
  });

  it('show what is only in the list of features, without making a ledger', async () => {
    const list = { features: [{ id: 'F1', description: 'Log in', priority: 1, tested: true }] };
    const path = sandbox.write('shop/.claude/progress/feature-list.json', list);
    expect(await json('list')).toMatchObject({ features: [{ id: 'F1', tested: false }, {}, {}] });
    expect(await json('show', 'F1')).toMatchObject({ id: 'F1', tested: false, status: 'pending' });
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(list));
    expect(existsSync(sandbox.path('data', 'ledger.db'))).toBe(false);
  });

  it('say that there are none yet', async () => {
    sandbox.repository('empty');
    for (const [group, first] of [
      ['task', 'task create "TITLE"'],
      ['feature', 'feature add "TEXT"'],
    ] as const) {
      const { stdout, exitCode } = await sandbox.guardkit([group, 'list'], { in: 'empty' });
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`guardkit ${first}`);
    }
  });
});

describe('feature validate', () => {
  it('finds no faults in sound files, and none where there are no files', async () => {
    expect(await feature('validate')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^✓/) });
    expect(await json('validate')).toEqual({ valid: true, faults: [] });
    sandbox.repository('empty');
    expect((await sandbox.guardkit(['feature', 'validate'], { in: 'empty' })).exitCode).toBe(0);
  });

  it('lists all faults of all files at once, with place, what was found and the fix, and answers no [RULE-10]', async () => {
    sandbox.write('shop/tasks/TASK-3.md', taskText('TASK-3', 'complexity: 12\nstatus: complete\n'));
    sandbox.write('shop/tasks/TASK-4.md', taskText('TASK-4', 'depends_on: [TASK-5 ]\ntask_type: featur\n'));
    sandbox.write('shop/tasks/TASK-5.md', taskText('TASK-5', 'depends_on: [TASK-4 ]\n'));
    sandbox.write(
      'shop/.guardkit/features/FEAT-A.yaml',
      featureText('FEAT-A', 'tasks: [TASK-1, TASK-77]\nuii: true\n'),
    );
    const { stdout, exitCode } = await feature('validate');
    expect(exitCode).toBe(1);
    await expect(stdout).toMatchFileSnapshot('golden/feature-validate.txt');
    const { valid, faults } = await json('validate');
    expect(valid).toBe(false);
    expectFaults(
      faults,
      [
        '.guardkit/features/FEAT-A.yaml:4:1 unknown-key "uii" ui',
        'tasks/TASK-3.md:4:13 invalid-value complexity 12 10',
        'tasks/TASK-3.md:5:9 invalid-value status "complete" completed',
        'tasks/TASK-4.md:4:14 dependency-cycle TASK-4 TASK-5',
        'tasks/TASK-4.md:5:12 unknown-task-type "featur" feature',
      ],
      fileAndLine,
    );
  });

  it('of one id tells only its own, whether it can be read or not', async () => {
    sandbox.write('shop/tasks/TASK-3.md', taskText('TASK-3', 'complexity: 12\n'));
    sandbox.write('shop/tasks/TASK-4.md', 'nothing');
    expect((await feature('validate', 'TASK-1')).exitCode).toBe(0);
    expect((await json('validate', 'TASK-3')).faults).toMatchObject([{ file: 'tasks/TASK-3.md' }]);
    expect((await json('validate', 'TASK-4')).faults).toMatchObject([{ code: 'no-front-matter' }]);
  });

  it('knows the task types that the project adds', async () => {
    sandbox.write(
      'shop/.guardkit/config/quality-gates.yaml',
      `quality_gate_configs:
  - task_type: migration
    complexity_range: [1, 10]
    arch_review_required: false
    arch_review_threshold: 0
    coverage_required: false
    coverage_threshold: 0
    tests_required: true
    tests_must_pass: true
`,
    );
    sandbox.write('shop/tasks/TASK-3.md', taskText('TASK-3', 'task_type: migration\n'));
    expect((await feature('validate')).exitCode).toBe(0);
  });
});
