import { afterAll, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { CheatBase, config, task } from '../cheats/cheat-project.ts';

const modules = npmPackages('bun@1');
const because = modules === undefined ? ' (SKIPPED: npm does not bring bun)' : '';
let base: CheatBase | undefined;
afterAll(() => base?.cleanup());

const TEST = `import { expect, test } from 'bun:test';
import { add } from '../src/add.js';

test('adds', () => expect(add(2, 3)).toBe(5));
`;

function project() {
  base ??= new CheatBase({
    '.gitignore': 'node_modules\nbun-junit.xml\ncoverage\n',
    'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "bun test" } }\n',
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js': TEST,
    'tasks/TASK-001.md': task(),
    '.guardkit/config.yaml': config(
      `setup: ln -s "${modules}" node_modules\ntests:\n  command: node_modules/.bin/bun run test --reporter=junit --reporter-outfile=bun-junit.xml --coverage --coverage-reporter=lcov\n  report: bun-junit.xml\ncoverage:\n  report: coverage/lcov.info\n`,
    ),
  });
  return base.project();
}

it.skipIf(!modules)(
  `bun test: an honest change with a new and an altered test passes${because}`,
  async () => {
    const answer = await project()
      .write({
        'src/add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0);\n',
        'src/multiply.js': 'export const multiply = (a, b) => a * b;\n',
        'test/add.test.js': TEST.replace(
          'toBe(5));',
          'toBe(5));\ntest("adds many", () => expect(add(1, 2, 3)).toBe(6));',
        ),
        'test/multiply.test.js': TEST.replaceAll('add', 'multiply').replace('toBe(5)', 'toBe(6)'),
      })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    for (const gate of ['tests', 'coverage', 'new-tests-bite', 'no-test-lost', 'no-test-weakened'])
      expect(answer.gates.get(gate), gate).toMatchObject({ result: 'pass' });
  },
);

it.skipIf(!modules)(`bun test: a weakened test is refused${because}`, async () => {
  const answer = await project()
    .write({
      'src/add.js': 'export const add = (a, b) => a + b + 1;\n',
      'test/add.test.js': TEST.replace('toBe(5)', 'toBeGreaterThan(4)'),
    })
    .verify();
  expect(answer.exitCode, answer.stdout).toBe(1);
  expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'fail' });
});
