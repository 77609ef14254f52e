import { expect, it, onTestFinished } from 'vitest';
import { further } from '../../../support/thorough.ts';
import {
  BASE_FILES,
  HONEST_CHANGE,
  ONE_PROCESS,
  TASK,
  testFile,
  VerifiedProject,
} from '../../../support/verified-project.ts';

const {
  '.guardkit/config.yaml': _,
  'tasks/TASK-001-subtract.md': __,
  ...CODE
} = { ...BASE_FILES, ...ONE_PROCESS };
const RULES = {
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - task_type: feature\n    complexity_range: [1, 10]\n    coverage_required: false\n',
};
const config = (command: string) => ({
  '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${command}\n`,
});
const NEW_TASK = { 'tasks/TASK-001-subtract.md': TASK };

function onBranch(base: Readonly<Record<string, string>>, branch: Readonly<Record<string, string>>) {
  const project = new VerifiedProject(base);
  onTestFinished(() => project.cleanup());
  project.write(branch);
  project.commit('On the branch');
  project.write(HONEST_CHANGE);
  return project;
}

further('a task that the branch adds is verified, by the rules of its base', async () => {
  const project = onBranch(
    { ...CODE, ...RULES, ...config('node tests.mjs') },
    { ...NEW_TASK, ...config('"true"') },
  );
  const { json } = await project.verify();
  expect(json).toMatchObject({ outcome: 'pass', base: project.git('rev-parse', 'main') });
  expect(json.criteria).toMatchObject([{ id: 'AC-001', tests: ['AC-001 subtracts'] }]);
});

further('what it adds to how it is verified counts only if a person vouches for it', async () => {
  const own = TASK.replace('complexity: 2\n', 'complexity: 2\nverify:\n  tests:\n    command: "true"\n');
  const project = onBranch(
    { ...CODE, ...RULES, ...config('node tests.mjs') },
    { 'tasks/TASK-001-subtract.md': own },
  );
  const seen = async (person: boolean) =>
    (await project.verify(['TASK-001'], { person })).json.criteria[0]?.tests;
  expect(await seen(false)).toEqual(['AC-001 subtracts']);
  expect(await seen(true)).toEqual([]);
});

further('what it adds changes nothing for work that the base defines', async () => {
  const project = onBranch(
    { ...CODE, ...RULES, ...config('node tests.mjs'), ...NEW_TASK },
    {
      '.guardkit/features/FEAT-9.yaml':
        'id: FEAT-9\ntitle: Loose\ntasks:\n  - TASK-001\nverify:\n  tests:\n    command: "true"\n',
    },
  );
  const { json } = await project.verify(['TASK-001'], { person: true });
  expect(json).toMatchObject({ outcome: 'pass', criteria: [{ tests: ['AC-001 subtracts'] }] });
});

further('a branch that sets GuardKit up is verified by its own rules', async () => {
  const project = onBranch(CODE, { ...NEW_TASK, ...RULES, ...config('node tests.mjs') });
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass' });
});

further(
  'a project that was set up again after a reset is verified, though the same task was verified before',
  async () => {
    const project = new VerifiedProject(CODE);
    onTestFinished(() => project.cleanup());
    const before = project.git('rev-parse', 'HEAD');
    const setUp = (subject: string) => {
      project.write({ ...NEW_TASK, ...RULES, ...config('node tests.mjs'), 'NOTES.md': subject });
      project.commit(subject);
      project.git('update-ref', 'refs/heads/main', 'HEAD');
      project.write(HONEST_CHANGE);
    };
    setUp('Set up');
    expect((await project.verify()).json).toMatchObject({ outcome: 'pass' });
    project.git('reset', '--quiet', '--hard', before);
    project.git('clean', '--quiet', '--force', '-d');
    setUp('Set up again');
    expect((await project.verify()).json).toMatchObject({ outcome: 'pass' });
    const options = { in: 'calc', env: { CLAUDECODE: '1' } };
    expect(await project.sandbox.failure(['verify', 'TASK-001'], options)).toMatchObject({
      code: 'work.unknown',
    });
  },
);

it('an agent whose work nobody watched cannot define it on its branch', async () => {
  const project = onBranch({ ...CODE, ...RULES, ...config('node tests.mjs') }, NEW_TASK);
  const options = { in: 'calc', env: { CLAUDECODE: '1' } };
  expect(await project.sandbox.failure(['verify', 'TASK-001'], options)).toMatchObject({
    code: 'work.unknown',
    hint: expect.stringContaining('guardkit accept tasks/TASK-001-subtract.md'),
  });
});

further(
  'a type or a criterion that it chooses for its own work does not excuse failing and changed tests',
  async () => {
    const base = {
      ...CODE,
      ...RULES,
      ...config('node tests.mjs'),
      'test/add.test.js': testFile('adds two numbers', 'add', 'add(1, 2)', '3'),
    };
    const wrong = { 'src/add.js': 'export const add = (a, b) => a + b + 1;\n' };
    const docs = TASK.replace('task_type: feature', 'task_type: documentation');
    const failing = onBranch(base, { 'tasks/TASK-001-subtract.md': docs, ...wrong });
    expect((await failing.verify()).json).toMatchObject({ outcome: 'fail' });
    expect((await failing.verify(['TASK-001'], { person: true })).json).toMatchObject({ outcome: 'pass' });
    const named = `${TASK}- AC-002: the test adds two numbers\n`;
    const adapted = { 'test/add.test.js': testFile('adds two numbers', 'add', 'add(1, 2)', '4') };
    const changed = onBranch(base, { 'tasks/TASK-001-subtract.md': named, ...wrong, ...adapted });
    const gate = async (person: boolean) =>
      (await changed.verify(['TASK-001'], { person })).json.gates.find(
        (one) => one.gate === 'no-test-weakened',
      );
    expect(await gate(false)).toMatchObject({ result: 'fail' });
    expect(await gate(true)).toMatchObject({ result: 'pass' });
  },
);

further(
  'a task that was verified on another branch is reported as such, without suggesting its own id',
  async () => {
    const project = onBranch({ ...CODE, ...RULES, ...config('node tests.mjs') }, NEW_TASK);
    expect((await project.verify()).json).toMatchObject({ outcome: 'pass' });
    project.git('stash', '--quiet', '--include-untracked');
    project.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    const failure = await project.sandbox.failure(['verify', 'TASK-001'], { in: 'calc' });
    expect(failure).toMatchObject({ code: 'work.unknown' });
    expect(failure.message).not.toMatch(/TASK-001\?/);
  },
);
