import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { further, rows } from '../../support/thorough.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { MEASURED_BY_VITEST } from './runner-suite.ts';
import { packageJson, TestProject } from './test-project.ts';

let project: TestProject | undefined;
afterEach(() => project?.remove());

function open(files: Record<string, string>, select?: readonly string[]): TestProject {
  project = new TestProject(files, select ? { select } : {});
  return project;
}

const VITEST = `
import { describe, expect, it } from 'vitest';
describe('sum', () => {
  it('adds', () => {});
  it('fails', () => expect(1).toBe(2));
  it.skip('is left out', () => {});
  it.todo('is to come');
});
it('finds nothing of the tap', () => {
  const left = Object.keys(process.env).filter((name) => name.startsWith('GUARDKIT'));
  expect([left, process.env.NODE_OPTIONS, /runners.tap/.test(process.env.PATH)]).toEqual([[], undefined, false]);
});
`;
const NODE = `
import assert from 'node:assert';
import { describe, it } from 'node:test';
describe('sum', () => {
  it('adds', () => {});
  it('fails', () => assert.equal(1, 2));
  it('is left out', { skip: true }, () => {});
  it('is to come', { todo: true }, () => {});
});
it('finds nothing of the tap', { skip: process.env.PLAIN === '1' }, () => {
  const left = Object.keys(process.env).filter((name) => name.startsWith('GUARDKIT'));
  assert.deepEqual([left, process.env.NODE_OPTIONS, /runners.tap/.test(process.env.PATH)], [[], undefined, false]);
});
`;
const OUTCOMES = [
  'failed sum > fails',
  'passed finds nothing of the tap',
  'passed sum > adds',
  'skipped sum > is left out',
  'todo sum > is to come',
];

describe('vitest', () => {
  it('behind npm and other commands names its tests, and prints its usual output', async () => {
    const { run, collect } = bound(
      open({ 'package.json': packageJson({ test: 'echo first && vitest run' }), 'test/a.test.js': VITEST }),
    );
    const { exitCode, stdout } = await run('npm test');
    const { reports, unreadable } = await collect(stdout);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/first[\s\S]*Tests/);
    expect(unreadable).toEqual([]);
    expect(reports.map(({ runner, faults }) => [runner, faults])).toEqual([['vitest', []]]);
    expect(reports.flatMap(outcomes)).toEqual(OUTCOMES);
    expect(reports[0]?.tests.every(({ file }) => file === 'test/a.test.js')).toBe(true);
  });

  further('whose script sets NODE_OPTIONS, and whose config has reporters, is still recorded', async () => {
    const config = "export default { test: { reporters: [['junit', { outputFile: 'own.xml' }]] } };";
    const { run, collect } = bound(
      open({
        'package.json': packageJson({ test: 'NODE_OPTIONS=--no-warnings vitest run' }),
        'vitest.config.js': config,
        'test/a.test.js': VITEST.replace('undefined, false', "'--no-warnings', false"),
      }),
    );
    const { stdout } = await run('npm test');
    const { reports, unreadable } = await collect(stdout, 'own.xml', 0);
    expect(unreadable).toEqual([]);
    expect(reports.map(({ runner }) => runner)).toEqual(['vitest', 'junit']);
    expect(outcomes(reports[0] ?? { runner: '', tests: [], faults: [] })).toEqual(OUTCOMES);
  });

  further('started twice at once leaves a record of each run', async () => {
    const { run, collect } = bound(
      open({
        'package.json': packageJson({}),
        'one/a.test.js': "import { it } from 'vitest'; it('a', () => {});",
        'two/b.test.js': "import { it } from 'vitest'; it('b', () => {});",
      }),
    );
    const vitest = '../node_modules/.bin/vitest run';
    await run(`(cd one && ${vitest}) & (cd two && ${vitest}) & wait`);
    const { reports, unreadable } = await collect();
    expect(unreadable).toEqual([]);
    expect(reports.flatMap(({ tests }) => tests.map(({ file, name }) => `${file} ${name}`)).sort()).toEqual([
      'one/a.test.js a',
      'two/b.test.js b',
    ]);
  });

  further.each(['vitest', 'vitest --run', 'vitest --watch=false', 'node node_modules/vitest/dist/cli.js'])(
    'started as %s ends and is recorded',
    async (test) => {
      const passing = "import { it } from 'vitest'; it('a', () => {});";
      const { run, collect } = bound(open({ 'package.json': packageJson({ test }), 'a.test.js': passing }));
      const { exitCode, stdout, stderr } = await run('npm test');
      expect(exitCode, stdout + stderr).toBe(0);
      expect((await collect(stdout)).reports.flatMap(({ tests }) => tests.map(({ name }) => name))).toEqual([
        'a',
      ]);
    },
  );

  it('that runs no tests leaves nothing', async () => {
    const { run, collect } = bound(open({ 'package.json': packageJson({}), 'a.test.js': VITEST }));
    expect((await run('node_modules/.bin/vitest --version')).exitCode).toBe(0);
    expect(await collect()).toEqual({ reports: [], unreadable: [] });
  });

  further('that ends before any result is a fault', async () => {
    const { run, collect } = bound(
      open({ 'package.json': packageJson({}), 'vitest.config.js': 'process.exit(0);', 'a.test.js': VITEST }),
    );
    await run('node_modules/.bin/vitest run');
    expect((await collect()).reports).toEqual([
      {
        runner: 'vitest',
        tests: [],
        faults: [{ code: 'ended-early', message: expect.stringMatching(/\bvitest\b.*\b0\b/) }],
      },
    ]);
  });
});

describe('node:test', () => {
  it.each(
    rows(1, [
      ['npm test', 'node --test'],
      ['with a reporter of its own', 'node --test --test-reporter=dot'],
      [
        'with a destination of its own',
        'node --test --test-reporter=tap --test-reporter-destination=own.tap',
      ],
      ['with options in two words', 'node --test --test-reporter tap --test-reporter-destination own.tap'],
      ['with other options before', 'node --no-warnings --test test/a.test.js'],
    ]),
  )('%s names its tests', async (_how, test) => {
    const { run, collect } = bound(open({ 'package.json': packageJson({ test }), 'test/a.test.js': NODE }));
    const { exitCode, stdout } = await run('npm test');
    const { reports, unreadable } = await collect(stdout);
    expect(exitCode).toBe(1);
    expect(unreadable).toEqual([]);
    expect(reports.map(({ runner, faults }) => [runner, faults])).toEqual([['node:test', []]]);
    expect(reports.flatMap(outcomes)).toEqual(OUTCOMES);
  });

  it('says why a file does not load, whatever other files print after it', async () => {
    const { run, collect } = bound(
      open({
        'package.json': packageJson({}),
        'test/a.test.js': "import './gone.js';\n",
        'test/b.test.js': NODE,
      }),
    );
    const { stdout } = await run('node --test');
    const { reports } = await collect(stdout);
    const faults = reports.flatMap((report) => report.faults);
    expect(faults.map(({ file, message }) => [file, message])).toEqual([
      ['test/a.test.js', expect.stringMatching(/^test failed\n[\s\S]*Cannot find module '.*gone\.js'/)],
    ]);
  });

  further('in a file that is run by itself with another reporter names its tests', async () => {
    const { run, collect } = bound(open({ 'package.json': packageJson({}), 'test/a.test.js': NODE }));
    const { stdout } = await run(
      'PLAIN=1 node --test-reporter=tap --test-reporter-destination=own.tap test/a.test.js && exit 9; cat own.tap',
    );
    expect(stdout).toMatch(/^TAP version 13[\s\S]*not ok 2 - fails/);
    const { reports } = await collect();
    expect(reports.flatMap(outcomes)).toEqual(
      OUTCOMES.map((line) => line.replace('passed finds', 'skipped finds')).sort(),
    );
  });

  it('in a file that is run by itself names its tests', async () => {
    const { run, collect } = bound(open({ 'package.json': packageJson({}), 'test/a.test.js': NODE }));
    const { exitCode, stdout } = await run('PLAIN=1 node test/a.test.js');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✔ adds');
    const { reports } = await collect(stdout);
    expect(reports.flatMap(outcomes)).toEqual(
      OUTCOMES.map((line) => line.replace('passed finds', 'skipped finds')).sort(),
    );
  });
});

it('a program that is not a test runner is left alone', async () => {
  const { run, collect } = bound(
    open({ 'package.json': packageJson({}), 'jest.js': 'console.log(process.argv.slice(2).join());' }),
  );
  expect((await run('node jest.js one two')).stdout).toBe('one,two\n');
  expect(await collect()).toEqual({ reports: [], unreadable: [] });
});

further('a command that is killed midway leaves a key without a record', async () => {
  const { run, collect } = bound(
    open({
      'package.json': packageJson({}),
      'a.test.js': "import { it } from 'vitest'; it('kills', () => process.kill(process.ppid, 'SIGKILL'));",
    }),
  );
  await run('node_modules/.bin/vitest run --pool=forks');
  const { reports, unreadable } = await collect();
  expect(reports).toEqual([]);
  expect(unreadable.map(({ code }) => code)).toEqual(['no-record']);
});

function bound(of: TestProject) {
  return { run: of.run.bind(of), collect: of.collect.bind(of) };
}

describe('a test command that starts with a linter', () => {
  const files = {
    'package.json': packageJson({ test: 'eslint . && node --test' }),
    'node_modules/eslint/bin/eslint.js': '#!/usr/bin/env node\nprocess.exit(1);\n',
    'test/a.test.mjs': "import { it } from 'node:test';\nit('adds', () => {});\n",
  };
  const link = 'ln -s ../eslint/bin/eslint.js node_modules/.bin/eslint; chmod +x node_modules/.bin/eslint';

  it.each([
    ['skips it in a run limited to test files', ['test/a.test.mjs'], 0, [['passed', 'adds']]],
    ['runs it otherwise', undefined, 1, []],
  ])('%s', async (_what, select, exit, expected) => {
    const { exitCode, stdout } = await open(files, select).run(`${link}; npm test`);
    const { reports } = await (project as TestProject).collect(stdout);
    expect(exitCode).toBe(exit);
    expect(reports.flatMap(({ tests }) => tests.map(({ status, name }) => [status, name]))).toEqual(expected);
  });
});

describe('vitest that measures coverage', () => {
  const files = { ...MEASURED_BY_VITEST, 'package.json': packageJson({ test: 'vitest run' }) };

  further.each<[string, string[] | undefined, boolean]>([
    ['does not in a run limited to test files', ['a.test.js'], false],
    ['does otherwise', undefined, true],
  ])('%s', async (_what, select, measures) => {
    const of = open(files, select);
    await of.run('npm test');
    expect(existsSync(join(of.root, 'measured'))).toBe(measures);
  });
});
