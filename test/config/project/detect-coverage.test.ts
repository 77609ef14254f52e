import { describe, expect, it } from 'vitest';
import { detect, type Files, JEST, LCOV, node, VITEST } from './detect-fixture.ts';

describe('coverage of JavaScript', () => {
  it.each<[string, Files, object | undefined]>([
    [
      'the project’s own script',
      { 'package.json': node({ test: 'x', 'test:cov': 'jest --coverage' }) },
      { command: 'npm run test:cov' },
    ],
    [
      'its own c8 script, which writes no report that can be read',
      { 'package.json': node({ test: 'mocha', coverage: 'c8 npm test' }) },
      {
        command: 'npm run coverage && npx --no-install c8 report --reporter=lcovonly --report-dir=coverage',
        report: LCOV,
      },
    ],
    [
      'its own nyc script, which does',
      { 'package.json': node({ test: 'mocha', cover: 'nyc mocha' }), '.nycrc': '{"reporter": ["lcov"]}' },
      { command: 'npm run cover', report: LCOV },
    ],
    [
      'nyc in a script that the test script names with a pattern',
      {
        'package.json': node(
          { test: 'run-s lint "test:*"', lint: 'x', 'test:unit': 'nyc mocha' },
          { nyc: '15' },
        ),
      },
      { report: LCOV },
    ],
    [
      'c8 in a script that pnpm finds by an expression',
      {
        'package.json': node(
          { test: 'pnpm run /^test:/', 'test:unit': 'c8 uvu', 'test:x': 'x' },
          { c8: '9' },
        ),
        '.c8rc.json': '{"reporter": "lcov"}',
      },
      { report: LCOV },
    ],
    [
      'a coverage script that the tests call, in their own run',
      {
        'package.json': node(
          {
            test: 'npm run build && npm run test-coverage',
            build: 'tsc',
            'test-coverage': 'c8 --reporter lcov npm run api',
            api: 'node test.js',
          },
          { c8: '9' },
        ),
      },
      { report: LCOV },
    ],
    [
      'jest in a coverage script that the tests call',
      {
        'package.json': node(
          {
            test: 'npm run test:coverage',
            'test:coverage': 'npm run test:only -- --coverage',
            'test:only': 'jest',
          },
          { jest: '27' },
        ),
      },
      { report: LCOV },
    ],
    [
      'vitest in a coverage script that the tests call',
      {
        'package.json': node(
          { test: 'npm run lint && npm run coverage', lint: 'x', coverage: 'vitest run --coverage' },
          { vitest: '3', '@vitest/coverage-v8': '3' },
        ),
      },
      { report: 'coverage/coverage-final.json' },
    ],
    [
      'vitest, whatever its version',
      {
        'package.json': node({ test: 'vitest run' }, { vitest: '^0.34.0', '@vitest/coverage-v8': '^0.34.0' }),
      },
      { command: `npm test -- ${VITEST}`, report: LCOV },
    ],
    [
      'vitest before 1.3, which refuses its options next to `--coverage`',
      {
        'package.json': node(
          { lint: 'x', test: 'npm run lint && vitest run --typecheck --coverage' },
          { vitest: '^1.2.0', '@vitest/coverage-v8': '^1.2.0' },
        ),
      },
      { command: `npx --no-install vitest run --typecheck ${VITEST}`, report: LCOV },
    ],
    [
      'a coverage script of vitest before 1.3 whose reporters are limited',
      {
        'package.json': node(
          { test: 'vitest', coverage: 'vitest run --coverage' },
          { vitest: '0.34.6', '@vitest/coverage-v8': '0.34.6' },
        ),
        'vitest.config.ts': 'export default { test: { coverage: { reporter: ["text"] } } }',
      },
      { command: `npx --no-install vitest run ${VITEST}`, report: LCOV },
    ],
    [
      'lab, which measures itself',
      { 'package.json': node({ test: 'lab -a @hapi/code -t 100 -L' }, { '@hapi/lab': '25' }) },
      { command: 'npm test -- -c -r console -o stdout -r lcov -o lcov.info', report: 'lcov.info' },
    ],
    [
      'nothing, where vitest cannot measure',
      { 'package.json': node({ test: 'vitest' }, { vitest: '3' }) },
      undefined,
    ],
    [
      'nothing, where a script of vitest lacks the package that measures',
      { 'package.json': node({ test: 'vitest', 'test:cov': 'vitest run --coverage' }, { vitest: '3' }) },
      undefined,
    ],
    [
      'vitest behind a build',
      {
        'package.json': node(
          { test: 'tsc && vitest run' },
          { vitest: '3', '@vitest/coverage-istanbul': '3' },
        ),
      },
      { command: `npm test -- ${VITEST}`, report: LCOV },
    ],
    [
      'vitest where a script of coverage is limited to text',
      {
        'package.json': node(
          { test: 'vitest', coverage: 'vitest run --coverage' },
          { vitest: '3', '@vitest/coverage-v8': '3' },
        ),
        'vitest.config.ts': 'export default { test: { coverage: { reporter: ["text"] } } }',
      },
      { command: `npm run coverage -- ${VITEST.replace('--coverage.enabled ', '')}`, report: LCOV },
    ],
    [
      'jest',
      { 'package.json': node({ test: 'jest' }, { jest: '29' }) },
      { command: `npm test -- ${JEST}`, report: LCOV },
    ],
    [
      'the run of jest that allows it, before one that turns it off',
      {
        'pnpm-lock.yaml': '',
        'package.json': node(
          {
            test: 'pnpm run test:node && pnpm run test:edge',
            'test:node': 'jest --env node',
            'test:edge': 'jest --env edge --no-coverage',
          },
          { jest: '30' },
        ),
      },
      { command: `npx --yes pnpm run test:node ${JEST}`, report: LCOV },
    ],
    [
      'c8 around mocha',
      { 'package.json': node({ test: 'mocha' }, { mocha: '10', c8: '9' }) },
      { command: 'npx --no-install c8 --reporter=lcovonly --report-dir=coverage npm test', report: LCOV },
    ],
    [
      'nothing, where mocha has neither c8 nor nyc',
      { 'package.json': node({ test: 'mocha' }, { mocha: '10' }) },
      undefined,
    ],
    [
      'tap itself',
      { 'package.json': node({ test: 'tap' }, { tap: '^18.0.0' }) },
      { command: 'npm test -- --coverage-report=lcovonly', report: '.tap/report/lcov.info' },
    ],
    [
      'tap without its coverage',
      { 'package.json': node({ test: 'standard && tap run --disable-coverage' }, { tap: '^21.0.0' }) },
      {
        command: 'npm test -- --no-disable-coverage --allow-incomplete-coverage --coverage-report=lcovonly',
        report: '.tap/report/lcov.info',
      },
    ],
    [
      'tap, although a script shows its coverage as pages',
      {
        'package.json': node(
          { test: 'tap', 'test:coverage': 'tap --coverage-report=html' },
          { tap: '^16.0.1' },
        ),
      },
      { command: 'npm test && npx --no-install tap --coverage-report=lcovonly', report: LCOV },
    ],
    [
      'tap before 18, which reports in a second step',
      { 'package.json': node({ test: 'tap' }, { tap: '^16.0.1' }) },
      { command: 'npm test && npx --no-install tap --coverage-report=lcovonly', report: LCOV },
    ],
    [
      'node itself',
      { 'package.json': node({ test: 'node --import tsx --test test/*.ts' }) },
      {
        command:
          'node --import tsx --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info test/*.ts',
        report: 'lcov.info',
      },
    ],
    [
      'vitest as pnpm starts it, at the end of a chain',
      {
        'pnpm-lock.yaml': '',
        'package.json': node(
          { lint: 'eslint .', test: 'pnpm lint && pnpm vitest run' },
          { vitest: '4', '@vitest/coverage-v8': '4' },
        ),
      },
      {
        command:
          'npx --yes pnpm run test --coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=coverage',
        report: 'coverage/lcov.info',
      },
    ],
    [
      'node itself, though an example of the project has jest',
      { 'package.json': node({ test: 'node --test test/*.js' }, { jest: '30' }) },
      {
        command:
          'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info test/*.js',
        report: 'lcov.info',
      },
    ],
    [
      'node itself, after the build that comes before the tests',
      {
        'package.json': node({
          pretest: 'npm run lint && npm run build',
          lint: 'eslint .',
          build: 'tsc',
          test: 'node --test',
        }),
      },
      {
        command:
          'npm run pretest && node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info',
        report: 'lcov.info',
      },
    ],
    [
      'node itself, after the script that compiles within the tests',
      { 'package.json': node({ compile: 'tsc -p src', test: 'npm run compile && node --test lib/*.js' }) },
      {
        command:
          'npm run compile && node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info lib/*.js',
        report: 'lcov.info',
      },
    ],
    [
      'node itself, without a linter that comes before the tests',
      { 'package.json': node({ pretest: 'npm run lint', lint: 'eslint .', test: 'node --test' }) },
      {
        command:
          'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov.info',
        report: 'lcov.info',
      },
    ],
    [
      'node itself, out of a chain of commands',
      {
        'package.json': node({
          test: 'xo && npm run test:a && npm run test:b && tsd',
          'test:a': 'node --test --test-reporter=spec a.js',
          'test:b': 'node --test b.js',
        }),
      },
      {
        command:
          'node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov-1.info a.js && node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout --test-reporter=lcov --test-reporter-destination=lcov-2.info b.js && cat lcov-1.info lcov-2.info > lcov.info',
        report: 'lcov.info',
      },
    ],
    [
      'nothing of a script that calls one that is gone',
      { 'package.json': node({ test: 'c8 --100 mocha', coverage: 'npm run unit -- --cov' }, { c8: '9' }) },
      { report: LCOV },
    ],
    [
      'no script that only sends a report',
      { 'package.json': node({ test: 'jest', coverage: 'codecov' }, { jest: '29' }) },
      { command: `npm test -- ${JEST}`, report: LCOV },
    ],
  ])('is measured by %s', (_what, files, coverage) => {
    const found = detect(files);
    expect(found?.verify.coverage).toEqual(coverage);
    if (coverage === undefined) expect(found?.notes).toHaveLength(1);
  });

  it('comes from the tests’ own run where they are run under nyc', () => {
    const found = detect({ 'package.json': node({ test: 'nyc mocha' }, { mocha: '10', nyc: '15' }) });
    expect(found?.verify).toMatchObject({
      tests: {
        command: 'npm test && npx --no-install nyc report --reporter=lcovonly --report-dir=coverage',
      },
      coverage: { report: LCOV },
    });
  });

  it('pnpm and yarn hand arguments on without dashes; pnpm only after `run`', () => {
    const manifest = { 'package.json': node({ test: 'jest' }, { jest: '29' }) };
    const command = (lock: string, program: string) =>
      detect({ ...manifest, [lock]: '' }, { programs: [program] })?.verify.coverage?.command;
    expect(command('pnpm-lock.yaml', 'pnpm')).toBe(`pnpm run test ${JEST}`);
    expect(command('yarn.lock', 'yarn')).toBe(`yarn test ${JEST}`);
  });
});

describe('a workspace without coverage at its root', () => {
  const workspace = (manager: string, dev: Record<string, string>): Files => ({
    'package.json': node({ test: 'pnpm -r test' }, { x: '1' }, { workspaces: ['libs/*'] }),
    'libs/planted/package.json': { name: 'planted', ...node({ test: 'vitest run' }, dev) },
    ...(manager === 'pnpm' ? { 'pnpm-workspace.yaml': 'packages: ["libs/*"]' } : { 'yarn.lock': '' }),
  });

  it.each([
    ['pnpm', 'pnpm add --dev -w c8'],
    ['yarn', 'yarn add --dev -W c8'],
  ])('%s is told to add a tool to the root, which it refuses otherwise', (manager, command) => {
    const found = detect(workspace(manager, { vitest: '3' }), { programs: [manager] });
    expect(found?.notes.join('\n')).toContain(`\`${command}\``);
  });

  it('no tool is to be added if a package has one', () => {
    const dev = { vitest: '3', '@vitest/coverage-v8': '3' };
    const found = detect(workspace('pnpm', dev), { programs: ['pnpm'] });
    expect(found?.verify.coverage).toBeUndefined();
    expect(found?.notes.join('\n')).toContain('libs/planted/coverage/lcov.info');
    expect(found?.notes.join('\n')).not.toContain('add --dev');
  });
});
