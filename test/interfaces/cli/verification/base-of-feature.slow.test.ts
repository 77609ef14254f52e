import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  HONEST_CHANGE,
  MEASURED_FILES,
  testFile,
  VerifiedProject,
} from '../../../support/verified-project.ts';

const SECOND_TASK = `---
id: TASK-002
title: Multiply
task_type: feature
complexity: 2
---
# Multiply

## Acceptance Criteria
- AC-001: multiplies two numbers
`;

const SECOND_CHANGE = {
  'src/mul.js': 'export const mul = (a, b) => a * b;\n',
  'test/mul.test.js': testFile('AC-001 multiplies', 'mul', 'mul(3, 2)', '6'),
};

const OTHER_WORK = {
  'src/div.js': 'export const div = (a, b) => a / b;\n',
  'test/div.test.js': testFile('divides', 'div', 'div(6, 2)', '3'),
};

let project: VerifiedProject;
let start: string;

beforeEach(() => {
  project = new VerifiedProject({ ...MEASURED_FILES, 'tasks/TASK-002-multiply.md': SECOND_TASK });
  start = head();
});
afterEach(() => project.cleanup());

function head(): string {
  return project.git('rev-parse', 'HEAD').trim();
}

function toMain(...merge: string[]): void {
  project.git('checkout', '--quiet', 'main');
  if (merge.length > 0) project.git('merge', '--quiet', ...merge);
}

it('work that is committed on main after it passed stays tested', async () => {
  toMain();
  project.write(HONEST_CHANGE);
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start });
  project.commit('Subtract');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start, tested: true });
  project.git('commit', '--quiet', '--amend', '--message', 'Subtract, in other words');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start, tested: true });
});

it('work that was committed on main before it passed is judged from where it began', async () => {
  toMain();
  project.write({ 'src/sub.js': 'export const sub = (a, b) => a - b;\n' });
  expect((await project.verify()).json).toMatchObject({ outcome: 'fail', base: start });
  project.commit('Half of it');
  project.write(HONEST_CHANGE);
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start });
});

it('a second feature on main begins after the first', async () => {
  toMain();
  project.write(HONEST_CHANGE);
  await project.verify();
  project.commit('Subtract');
  const second = head();
  project.write({ 'src/mul.js': SECOND_CHANGE['src/mul.js'] });
  expect((await project.verify(['TASK-002'])).json).toMatchObject({ outcome: 'fail', base: second });
  project.write(SECOND_CHANGE);
  expect((await project.verify(['TASK-002'])).json).toMatchObject({ outcome: 'pass', base: second });
  project.commit('Multiply');
  expect((await project.verify(['TASK-002'])).json).toMatchObject({ outcome: 'pass', base: second });
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start });
});

it('a branch that is merged and others that leave main later keep the feature tested', async () => {
  project.write(HONEST_CHANGE);
  await project.verify();
  project.commit('Subtract');
  toMain('--no-ff', 'work');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start, tested: true });
  project.git('checkout', '--quiet', '-b', 'other');
  project.write(OTHER_WORK);
  project.commit('Divide');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start, tested: true });
});

it('a squashed merge keeps the feature tested', async () => {
  project.write(HONEST_CHANGE);
  await project.verify();
  project.commit('Subtract');
  toMain('--squash', 'work');
  project.commit('Subtract, squashed');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start, tested: true });
});

it('what a branch takes in from main by a merge or a rebase is not its own work', async () => {
  project.write(HONEST_CHANGE);
  await project.verify();
  project.commit('Subtract');
  toMain();
  project.git('rm', '--quiet', 'test/add.test.js');
  project.write(OTHER_WORK);
  project.commit('Divide, and no test of add');
  const main = head();
  project.git('checkout', '--quiet', 'work');
  project.git('merge', '--quiet', '--no-edit', 'main');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: main });
  project.git('reset', '--quiet', '--hard', 'HEAD~1');
  project.git('rebase', '--quiet', 'main');
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: main });
});

const STRICTER = `${MEASURED_FILES['.guardkit/config.yaml']}  checks:\n    - name: never\n      command: exit 1\n`;

it('a person’s change of the rules after the beginning counts', async () => {
  toMain();
  project.write(HONEST_CHANGE);
  expect((await project.verify()).json).toMatchObject({ outcome: 'pass', base: start });
  project.write({ '.guardkit/config.yaml': STRICTER });
  project.commit('Subtract, and a stricter rule');
  const { json } = await project.verify(['TASK-001'], { person: true });
  expect(json).toMatchObject({ outcome: 'fail', base: start });
  expect(json.gates.find(({ gate }) => gate === 'checks')).toMatchObject({ result: 'fail' });
});

it('rules and test commands that are committed on main with the work are not taken from it', async () => {
  toMain();
  project.write({ 'src/sub.js': 'export const sub = (a, b) => a + b;\n' });
  expect((await project.verify()).json).toMatchObject({ outcome: 'fail', base: start });
  project.write({
    ...HONEST_CHANGE,
    'src/sub.js': 'export const sub = (a, b) => a + b;\n',
    'tasks/TASK-001-subtract.md': SECOND_TASK.replace('TASK-002', 'TASK-001').replace(
      'feature',
      'documentation',
    ),
    '.guardkit/config.yaml': 'project: calc-1234\nverify:\n  tests:\n    command: "true"\n',
  });
  project.commit('Work, and rules that let it pass');
  const { json } = await project.verify();
  expect(json).toMatchObject({ outcome: 'fail', base: start });
  expect(json.gates.find(({ gate }) => gate === 'tests')).toMatchObject({ result: 'fail' });
});

it('only a person may name a base after the beginning', async () => {
  toMain();
  project.write({ 'src/sub.js': 'export const sub = (a, b) => a - b;\n' });
  await project.verify();
  project.commit('Without a test');
  const later = head();
  const refused = await project.guardkit(['verify', 'TASK-001', '--base', 'HEAD', '--json']);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'base.after-beginning' } });
  const person = await project.verify(['TASK-001', '--base', 'HEAD'], { person: true });
  expect(person.json).toMatchObject({ base: later });
});
