import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { further } from '../../support/thorough.ts';
import { CheatBase, config, type Files, task } from '../cheats/cheat-project.ts';

/** A library whose only test is a script with plain assertions. */
const PLAIN: Files = {
  '.guardkit/config.yaml': config('tests:\n  command: node test.js\n'),
  '.guardkit/config/quality-gates.yaml': `quality_gate_configs:
  - {task_type: feature, complexity_range: [4, 6], coverage_required: false}
`,
  'tasks/TASK-001.md': task(),
  'src/add.js': 'exports.add = (a, b) => a + b;\n',
  'test.js':
    "const assert = require('assert');\nconst { add } = require('./src/add.js');\nassert.equal(add(2, 3), 5);\n",
};
const MULTIPLY: Files = {
  'src/add.js': 'exports.add = (a, b) => a + b;\nexports.multiply = (a, b) => a * b;\n',
  'test.js':
    "const assert = require('assert');\nconst { add, multiply } = require('./src/add.js');\nassert.equal(add(2, 3), 5);\nassert.equal(multiply(2, 3), 6);\n",
};

const made = new Map<Files, CheatBase>();
afterAll(() => {
  for (const base of made.values()) base.cleanup();
});

function projectOf(files: Files) {
  const base = made.get(files) ?? new CheatBase(files);
  made.set(files, base);
  return base.project();
}

describe('a suite whose runner reports no test names', () => {
  it('is one test: the command fails without the change and passes with it', async () => {
    const answer = await projectOf(PLAIN).write(MULTIPLY).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('tests')).toMatchObject({ result: 'pass', code: 'unnamed' });
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass', code: 'unnamed' });
    expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'pass' });
  });

  const REFACTORED: Files = {
    ...PLAIN,
    'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: refactor'),
  };
  further('counts for a refactoring too, if a planted failure makes it fail', async () => {
    const answer = await projectOf(REFACTORED)
      .write({ 'src/add.js': 'exports.add = (first, second) => first + second;\n' })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('tests')).toMatchObject({ result: 'pass', code: 'unnamed' });
  });

  const LOADING: Files = {
    ...PLAIN,
    'test.js': "require('./checks/add');\n",
    'checks/add.js': `${PLAIN['test.js']}`.replace('./src', '../src'),
  };
  const MULTIPLYING = `${MULTIPLY['test.js']}`.replace('./src', '../src');
  const MORE = "require('./checks/add');\nrequire('./checks/more');\n";
  further('includes the scripts that it loads from other folders', async () => {
    const answer = await projectOf(LOADING)
      .write({ ...MULTIPLY, 'test.js': LOADING['test.js'] ?? '', 'checks/add.js': MULTIPLYING })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ result: 'pass', code: 'unnamed' });
  });

  further('needs more than a new script that also passes without the change', async () => {
    const answer = await projectOf(LOADING)
      .write({ ...MULTIPLY, 'test.js': MORE, 'checks/more.js': LOADING['checks/add.js'] ?? '' })
      .verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(1);
    expect(answer.gates.get('new-tests-bite')).toMatchObject({ code: 'pass-without-change' });
  });

  const NO_OP: Files = {
    ...PLAIN,
    '.guardkit/config.yaml': config('tests:\n  command: node --check test.js\n'),
  };
  const LIBRARY = MULTIPLY['src/add.js'] ?? '';
  further.each([
    ['the command does not run the tests', NO_OP, MULTIPLY, 'tests', 'cannot-fail'],
    [
      'a test passes without the change',
      PLAIN,
      { ...MULTIPLY, 'test.js': `${PLAIN['test.js']}assert.equal(add(1, 1), 2);\n` },
      'new-tests-bite',
      'pass-without-change',
    ],
    ['there is no new test', PLAIN, { 'src/add.js': LIBRARY }, 'new-tests-bite', 'none-new'],
    [
      'the old test was emptied and its behaviour broken',
      PLAIN,
      {
        'src/add.js': LIBRARY.replace('a + b', 'a - b'),
        'test.js': String(MULTIPLY['test.js']).replace('assert.equal(add(2, 3), 5);\n', ''),
      },
      'no-test-weakened',
      undefined,
    ],
    [
      'the code ends the process of its tests',
      PLAIN,
      { ...MULTIPLY, 'src/add.js': LIBRARY.replace('a * b', 'process.exit(0)') },
      'tests',
      'report-fault',
    ],
    [
      'the code disarms the assertions',
      PLAIN,
      {
        ...MULTIPLY,
        'src/add.js': `require('assert').equal = () => {};\n${LIBRARY.replace('a * b', '0')}`,
      },
      'tests',
      'report-fault',
    ],
  ] as const)('is refused if %s', async (_why, base, files, gate, code) => {
    const answer = await projectOf(base).write(files).verify();
    expect(answer.exitCode, answer.stdout).toBe(1);
    expect(answer.gates.get(gate)).toMatchObject({ result: 'fail', ...(code ? { code } : {}) });
  });
});

describe.skipIf(spawnSync('make', ['--version']).status !== 0)('a suite of shell commands', () => {
  const SHELL: Files = {
    ...PLAIN,
    '.guardkit/config.yaml': config('tests:\n  command: make test\n'),
    Makefile: '.PHONY: test\ntest:\n\tsh test/greet.sh\n',
    'greet.sh': 'echo "hello $1"\n',
    'test/greet.sh': 'set -e\n[ "$(sh greet.sh you)" = "hello you" ]\n',
  };
  const LOUD: Files = {
    'greet.sh': 'if [ "$2" = loud ]; then echo "HELLO $1"; else echo "hello $1"; fi\n',
    'test/greet.sh': `${SHELL['test/greet.sh']}[ "$(sh greet.sh you loud)" = "HELLO you" ]\n`,
  };

  further('passes an honest change of the product and its script of tests', async () => {
    const answer = await projectOf(SHELL).write(LOUD).verify();
    expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
    expect(answer.gates.get('harness')).toMatchObject({ result: 'pass' });
  });

  further('refuses a script that no longer tests what the change breaks', async () => {
    const answer = await projectOf(SHELL)
      .write({ 'greet.sh': 'echo "HELLO $1"\n', 'test/greet.sh': '[ "$(sh greet.sh you)" = "HELLO you" ]\n' })
      .verify();
    expect(answer.exitCode, answer.stdout).toBe(1);
    expect(answer.gates.get('no-test-weakened')).toMatchObject({ result: 'fail' });
  });
});
