import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildWork } from '../../../src/config/work/build-work.ts';
import { findWork, orderTasks } from '../../../src/config/work/find-work.ts';
import { expectFaults, fileAndLine } from '../../support/expect-faults.ts';

const TYPES = ['feature', 'bugfix', 'documentation'];

function task(id: string, more = '', body = '## Acceptance Criteria\n- It works\n') {
  return { path: `tasks/${id}.md`, text: `---\nid: ${id}\ntitle: The ${id}\n${more}---\n${body}` };
}

const feature = (id: string, more: string) => ({
  path: `.guardkit/features/${id}.yaml`,
  text: `id: ${id}\nname: The ${id}\n${more}`,
});

const work = (...files: { path: string; text: string }[]) => buildWork(files, { taskTypes: TYPES });
const faults = (...files: { path: string; text: string }[]) => work(...files).faults;

describe('work', () => {
  it('is a feature for each task that has none', () => {
    const { features } = work(
      task('TASK-1'),
      task('TASK-2', 'feature_id: FEAT-A\nui: true\n'),
      task('TASK-3', 'feature_id: FEAT-A\n'),
    );
    expect(features).toMatchObject([
      { id: 'TASK-1', name: 'The TASK-1', tasks: ['TASK-1'], path: undefined, ui: false },
      { id: 'FEAT-A', name: 'The TASK-2', tasks: ['TASK-2', 'TASK-3'], path: undefined, ui: true },
    ]);
  });

  it('has a feature’s tasks as it lists them, then those that name it', () => {
    const { features, faults: found } = work(
      task('TASK-0', 'feature_id: FEAT-A\n'),
      task('TASK-1'),
      task('TASK-2', 'feature_id: FEAT-A\n'),
      feature('FEAT-A', 'tasks: [TASK-2, TASK-1]\n'),
    );
    expect(found).toEqual([]);
    expect(features).toMatchObject([
      {
        id: 'FEAT-A',
        tasks: ['TASK-2', 'TASK-1', 'TASK-0'],
        path: '.guardkit/features/FEAT-A.yaml',
        priority: 3,
        complexity: 5,
      },
    ]);
  });

  it('has the dependencies of both files', () => {
    const { tasks } = work(
      task('TASK-1', 'dependencies: [TASK-2 ]\n'),
      task('TASK-2'),
      task('TASK-3'),
      feature('FEAT-A', 'tasks:\n  - id: TASK-1\n    depends_on: [TASK-3 ]\n  - TASK-2\n  - TASK-3\n'),
    );
    expect(tasks[0]?.dependencies).toEqual(['TASK-2', 'TASK-3']);
  });

  it('has the criteria of a feature without tasks', () => {
    const { features, faults: found } = work(
      feature(
        'FEAT-A',
        'acceptance_criteria:\n  - "AC-1: It works"\n  - It is fast\n  - {id: AC-9, text: It lasts}\n',
      ),
    );
    expect(found).toEqual([]);
    expect(features[0]?.criteria).toEqual([
      { id: 'AC-1', text: 'It works', detail: '', line: 4 },
      { text: 'It is fast', detail: '', line: 5 },
      { id: 'AC-9', text: 'It lasts', detail: '', line: 6 },
    ]);
  });

  it('passes other files over', () => {
    expect(
      work(
        { path: 'tasks/README.md', text: 'x' },
        { path: 'src/TASK-1.md', text: 'x' },
        { path: '.guardkit/features/old/FEAT-1.yaml', text: 'x' },
        { path: '.guardkit/features/.FEAT-1.yaml', text: 'x' },
      ),
    ).toEqual({ tasks: [], features: [], faults: [] });
  });
});

describe('a fault between files has its place and its remedy:', () => {
  it.each([
    [
      'a task without a file',
      [feature('FEAT-A', 'tasks:\n  - TASK-1\n  - TASK-20\n'), task('TASK-1'), task('TASK-2')],
      ['.guardkit/features/FEAT-A.yaml:5:5 no-task-file TASK-20 TASK-2?'],
    ],
    [
      'an id that is not the file’s',
      [{ ...task('TASK-1'), path: 'tasks/TASK-11-x.md' }],
      ['tasks/TASK-11-x.md:2:5 name-mismatch TASK-1'],
    ],
    [
      'two files of one id',
      [task('TASK-1'), { ...task('TASK-1'), path: 'tasks/old/TASK-1-x.md' }],
      ['tasks/old/TASK-1-x.md:2:5 duplicate-id TASK-1 tasks/TASK-1.md'],
    ],
    [
      'two ids that differ by case',
      [task('TASK-a'), { path: 'tasks/z/TASK-A.md', text: task('TASK-A').text }],
      ['tasks/z/TASK-A.md:2:5 duplicate-id TASK-A tasks/TASK-a.md'],
    ],
    [
      'a circle of tasks',
      [
        task('TASK-1', 'depends_on:\n  - TASK-2\n'),
        task('TASK-2', 'dependencies: [TASK-3 ]\n'),
        task('TASK-3', 'dependencies: [TASK-1 ]\n'),
      ],
      ['tasks/TASK-1.md:5:5 dependency-cycle TASK-1 TASK-2 TASK-3'],
    ],
    [
      'a circle that two files make together',
      [
        task('TASK-1', 'depends_on: [TASK-2 ]\n'),
        task('TASK-2'),
        feature('FEAT-A', 'tasks:\n  - TASK-1\n  - {id: TASK-2, depends_on: [TASK-1 ]}\n'),
      ],
      ['tasks/TASK-1.md:4:14 dependency-cycle TASK-1 TASK-2'],
    ],
    [
      'a circle of features',
      [
        task('TASK-1', 'feature_id: FEAT-A\n'),
        task('TASK-2', 'feature_id: FEAT-B\n'),
        feature('FEAT-A', 'dependencies: [FEAT-B]\n'),
        feature('FEAT-B', 'depends_on: [FEAT-A]\n'),
      ],
      ['.guardkit/features/FEAT-A.yaml:3:16 dependency-cycle FEAT-A FEAT-B'],
    ],
    [
      'a dependency on no task',
      [task('TASK-1', 'depends_on: [TASK-9x]\n')],
      ['tasks/TASK-1.md:4:14 unknown-dependency TASK-1 TASK-9x'],
    ],
    [
      'a dependency on no feature',
      [task('TASK-1', 'feature_id: FEAT-A\n'), feature('FEAT-A', 'dependencies: [FEAT-LOGIN]\n')],
      ['.guardkit/features/FEAT-A.yaml:3:16 unknown-dependency FEAT-A FEAT-LOGIN'],
    ],
    [
      'a task type that is not known',
      [task('TASK-1', 'task_type: featur\n'), task('TASK-2', 'task_type: magic\n')],
      [
        'tasks/TASK-1.md:4:12 unknown-task-type "featur" feature',
        'tasks/TASK-2.md:4:12 unknown-task-type "magic" feature, bugfix, documentation',
      ],
    ],
    [
      'a task that two features list',
      [task('TASK-1'), feature('FEAT-A', 'tasks: [TASK-1 ]\n'), feature('FEAT-B', 'tasks: [TASK-1 ]\n')],
      ['.guardkit/features/FEAT-B.yaml:3:9 listed-twice TASK-1 FEAT-A'],
    ],
    [
      'a task that names another feature',
      [task('TASK-1', 'feature_id: FEAT-B\n'), feature('FEAT-A', 'tasks: [TASK-1 ]\n')],
      ['.guardkit/features/FEAT-A.yaml:3:9 two-features TASK-1 tasks/TASK-1.md FEAT-B'],
    ],
    [
      'a feature with nothing in it',
      [feature('FEAT-A', '')],
      ['.guardkit/features/FEAT-A.yaml:1:5 empty-feature FEAT-A feature_id acceptance_criteria'],
    ],
    [
      'criteria that nobody would look at',
      [task('TASK-1'), feature('FEAT-A', 'tasks: [TASK-1 ]\nacceptance_criteria: [It works]\n')],
      ['.guardkit/features/FEAT-A.yaml:4:22 criteria-ignored FEAT-A'],
    ],
    [
      'keys of a feature that are not known',
      [
        feature(
          'FEAT-A',
          'task: [TASK-1 ]\nacceptance_criteria: [a]\nstatus: done\ntasks:\n  - {id: TASK-1, dependson: []}\n',
        ),
        task('TASK-1'),
      ],
      [
        '.guardkit/features/FEAT-A.yaml:3:1 unknown-key "task" tasks',
        '.guardkit/features/FEAT-A.yaml:5:1 unknown-key "status" id, name,',
        '.guardkit/features/FEAT-A.yaml:7:18 unknown-key "tasks.0.dependson" depends_on',
      ],
    ],
    [
      'a feature file that is not YAML',
      [feature('FEAT-A', 'tasks: [\n')],
      ['.guardkit/features/FEAT-A.yaml:4:1 syntax'],
    ],
    [
      'an empty feature file',
      [{ path: '.guardkit/features/FEAT-A.yaml', text: '' }],
      ['.guardkit/features/FEAT-A.yaml:1:1 missing id', '.guardkit/features/FEAT-A.yaml:1:1 missing name'],
    ],
  ])('%s', (_case, files, expected) => {
    expectFaults(faults(...files), expected, fileAndLine);
  });

  it('a feature is not empty because its only task cannot be read', () => {
    const broken = task('TASK-1', 'complexity: 99\nfeature_id: FEAT-A\n');
    expect(faults(broken, feature('FEAT-A', ''))).toHaveLength(1);
  });

  it('a file that has faults itself makes none in those that name it', () => {
    const found = faults(
      task('TASK-1', 'complexity: 99\n'),
      task('TASK-2', 'depends_on: [TASK-1 ]\n'),
      feature('FEAT-A', 'tasks: [TASK-1, TASK-2]\n'),
    );
    expectFaults(found, ['tasks/TASK-1.md:4:13 invalid-value complexity'], fileAndLine);
  });
});

describe('an id', () => {
  const files = [
    task('TASK-1', 'depends_on: [TASK-2 ]\n'),
    task('TASK-2', 'feature_id: FEAT-A\n'),
    task('TASK-9'),
    feature('FEAT-A', 'tasks: [TASK-1 ]\n'),
    feature('FEAT-B', 'ui: true\nacceptance_criteria: [It works]\n'),
  ];

  it('of a feature means all its tasks, dependencies first', () => {
    const found = findWork(work(...files), 'FEAT-A');
    expect(found.feature.id).toBe('FEAT-A');
    expect(found.tasks.map(({ id }) => id)).toEqual(['TASK-2', 'TASK-1']);
    expect(orderTasks(work(...files), found.feature)).toEqual(found.tasks);
  });

  it('of a task means the task and its feature', () => {
    const found = findWork(work(...files), 'TASK-1');
    expect(found).toMatchObject({ feature: { id: 'FEAT-A' }, tasks: [{ id: 'TASK-1' }] });
    expect(findWork(work(...files), 'TASK-9')).toMatchObject({
      feature: { id: 'TASK-9' },
      tasks: [{ id: 'TASK-9' }],
    });
  });

  it('of a feature without tasks means one task with its criteria', () => {
    expect(findWork(work(...files), 'FEAT-B').tasks).toMatchObject([
      {
        id: 'FEAT-B',
        title: 'The FEAT-B',
        ui: true,
        criteria: [{ text: 'It works' }],
        path: '.guardkit/features/FEAT-B.yaml',
      },
    ]);
  });

  it('that there is not is refused, with the nearest', () => {
    expect(() => findWork(work(...files), 'FEAT-C')).toThrow(
      expect.objectContaining({
        code: 'work.unknown',
        kind: 'input',
        message: expect.stringMatching(/FEAT-C.*FEAT-A/),
      }),
    );
    expect(() => findWork(work(), 'TASK-1')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('guardkit task create') }),
    );
  });

  it('whose file cannot be read is refused with its faults', () => {
    expect(() => findWork(work(task('TASK-1', 'complexity: 99\n')), 'TASK-1')).toThrow(
      expect.objectContaining({
        code: 'work.invalid',
        message: expect.stringMatching(/tasks\/TASK-1\.md:4:13.*complexity/),
      }),
    );
  });

  it.each([
    [
      'a listed task',
      'FEAT-A',
      [feature('FEAT-A', 'tasks: [TASK-1, TASK-2]\n'), task('TASK-1'), task('TASK-2', 'complexity: 99\n')],
    ],
    [
      'a task that names it',
      'FEAT-A',
      [task('TASK-1', 'feature_id: FEAT-A\n'), task('TASK-2', 'complexity: 99\nfeature_id: FEAT-A\n')],
    ],
    ['its own file', 'FEAT-A', [feature('FEAT-A', 'uii: true\n'), task('TASK-1', 'feature_id: FEAT-A\n')]],
    ['its own file', 'TASK-1', [feature('FEAT-A', 'uii: true\n'), task('TASK-1', 'feature_id: FEAT-A\n')]],
    [
      'a second file of a task',
      'FEAT-A',
      [
        feature('FEAT-A', 'tasks: [TASK-1 ]\n'),
        task('TASK-1'),
        { ...task('TASK-1'), path: 'tasks/x/TASK-1.md' },
      ],
    ],
  ])('comes with the faults of %s, which make it incomplete', (_case, id, some) => {
    expect(findWork(work(...some), id).faults).toHaveLength(1);
  });

  it('does not come with the faults of others', () => {
    expect(findWork(work(...files, task('TASK-7', 'complexity: 99\n')), 'FEAT-A').faults).toEqual([]);
  });
});

it('any files at all have an answer, in which every feature’s tasks are there and no task is in two', () => {
  const id = fc.constantFrom('TASK-1', 'TASK-2', 'TASK-3');
  const featureId = fc.constantFrom('FEAT-A', 'FEAT-B', 'TASK-2');
  const tasks = fc
    .tuple(id, fc.array(id, { maxLength: 3 }), fc.option(featureId), fc.constantFrom('', 'x/'))
    .map(([own, on, of, folder]) => ({
      path: `tasks/${folder}${own}.md`,
      text: task(own, `dependencies: [${on.join(', ')}]\nfeature_id: ${of ?? ''}\n`).text,
    }));
  const features = fc
    .tuple(featureId, fc.array(id, { maxLength: 3 }), fc.array(featureId, { maxLength: 2 }))
    .map(([own, listed, on]) =>
      feature(own, `tasks: [${listed.join(', ')}]\ndependencies: [${on.join(', ')}]\n`),
    );
  const noise = fc.record({
    path: fc.constantFrom('tasks/TASK-1.md', '.guardkit/features/FEAT-A.yaml'),
    text: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(tasks, features, noise), { maxLength: 8 }), (files) => {
      const { tasks: found, features: all } = work(...files);
      const owned = all.flatMap((one) => one.tasks);
      expect([...owned].sort()).toEqual(found.map((one) => one.id).sort());
      for (const one of all)
        expect(findWork({ tasks: found, features: all, faults: [] }, one.id).tasks.length).toBeGreaterThan(0);
    }),
  );
});
