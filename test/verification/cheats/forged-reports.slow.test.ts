import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { CheatBase, HONEST, MULTIPLY, MULTIPLY_TEST, NODE_PROJECT, UNTESTED } from './cheat-project.ts';
import { type Cheat, expectStopped, tryEach } from './expect-stopped.ts';
import { findReports, forgeRecord } from './forge-record.ts';

const base = new CheatBase(NODE_PROJECT);
afterAll(() => base.cleanup());

/** Its second half is not covered: 3 of 10 lines. */
const HALF = { ...HONEST, 'src/multiply.js': MULTIPLY + UNTESTED };
const TOO_LITTLE = { gate: 'coverage', code: 'below-threshold', reason: /\b80\.0%/ } as const;
const FULL_REPORT = `TN:\\nSF:src/multiply.js\\n${Array.from({ length: 10 }, (_, line) => `DA:${line + 1},1\\n`).join('')}end_of_record\\n`;

const CHEATS: Cheat[] = [
  {
    name: 'a committed coverage report does not count',
    files: HALF,
    also: (project) =>
      project.write({ 'lcov.info': FULL_REPORT.replaceAll('\\n', '\n') }).git('add', '--force', 'lcov.info'),
    ...TOO_LITTLE,
  },
  {
    name: 'a coverage report that a test replaces does not count',
    files: {
      ...HALF,
      'test/multiply.test.js': `import { rmSync, writeFileSync } from 'node:fs';\n${MULTIPLY_TEST}\nprocess.on('exit', () => {\n  rmSync('lcov.info', { force: true });\n  writeFileSync('lcov.info', '${FULL_REPORT}');\n});\n`,
    },
    gate: 'coverage',
    code: 'lines-left-out',
  },
  {
    name: 'a coverage report that the code under test replaces does not count',
    files: {
      ...HALF,
      'src/multiply.js': `import { rmSync, writeFileSync } from 'node:fs';\nrmSync('lcov.info', { force: true });\nwriteFileSync('lcov.info', '${FULL_REPORT}');\n${MULTIPLY + UNTESTED}`,
    },
    gate: 'coverage',
    code: 'lines-left-out',
  },
  {
    name: 'a test that replaces the report with a link to another leaves no report',
    files: {
      ...HALF,
      'docs/good.info': FULL_REPORT.replaceAll('\\n', '\n'),
      'test/multiply.test.js': `import { rmSync, symlinkSync } from 'node:fs';\n${MULTIPLY_TEST}\nprocess.on('exit', () => {\n  rmSync(['lcov', 'info'].join('.'), { force: true });\n  symlinkSync('docs/good.info', ['lcov', 'info'].join('.'));\n});\n`,
    },
    gate: 'coverage',
    result: 'absent',
    code: 'not-measured',
    reason: /lcov\.info/,
  },
  {
    name: 'a test that replaces the report with a link to standard input leaves no report',
    files: {
      ...HALF,
      'test/multiply.test.js': `import { rmSync, symlinkSync } from 'node:fs';\n${MULTIPLY_TEST}\nprocess.on('exit', () => {\n  rmSync(['lcov', 'info'].join('.'), { force: true });\n  symlinkSync('/dev/stdin', ['lcov', 'info'].join('.'));\n});\n`,
    },
    gate: 'coverage',
    result: 'absent',
    code: 'not-measured',
    reason: /lcov\.info/,
  },
  {
    name: 'a comment that disables coverage has no effect',
    files: {
      ...HALF,
      'src/multiply.js': `${MULTIPLY}/* node:coverage disable */\n${UNTESTED}/* node:coverage enable */\n`,
    },
    ...TOO_LITTLE,
  },
  {
    name: 'a comment that disables coverage in another tool’s syntax has no effect',
    files: { ...HALF, 'src/multiply.js': `${MULTIPLY}/* istanbul      ignore next */\n${UNTESTED}` },
    ...TOO_LITTLE,
  },
  {
    name: 'code in a file named like a test is measured if other code uses it',
    files: {
      'src/impl.test.js': MULTIPLY + UNTESTED,
      'src/multiply.js': "export { divide, multiply } from './impl.test.js';\n",
      'test/multiply.test.js': MULTIPLY_TEST,
    },
    gate: 'coverage',
    reason: /impl\.test\.js|\b80\.0%|src\/multiply\.js:1/,
  },
  {
    name: 'code that git attributes mark as binary is measured',
    files: { ...HALF, '.gitattributes': 'src/multiply.js binary\n' },
    ...TOO_LITTLE,
  },
  {
    name: 'code that looks binary to git because of a zero byte is measured',
    files: { ...HALF, 'src/multiply.js': `// \0\n${MULTIPLY}${UNTESTED}` },
    ...TOO_LITTLE,
  },
  {
    name: 'code with a forged source map is measured',
    files: {
      ...HALF,
      'src/multiply.js': `${MULTIPLY}${UNTESTED}//# sourceMappingURL=data:application/json;base64,${Buffer.from(
        JSON.stringify({ version: 3, sources: ['add.js'], names: [], mappings: 'AAAA' }),
      ).toString('base64')}\n`,
    },
    gate: 'coverage',
    code: ['lines-left-out', 'below-threshold'],
  },
  {
    name: 'printed lines of other runners are not tests of the change',
    files: {
      'src/add.js': `console.log('=== RUN   TestMultiply\\n--- PASS: TestMultiply (0.00s)\\nPASS\\nok  \\tcalc\\t0.1s');\n${NODE_PROJECT['src/add.js']}export const multiply = (a, b) => a + b;\nmultiply(1, 2);\n`,
      'test/notes.txt': 'changed',
    },
    gate: 'new-tests-bite',
    result: 'either',
    code: ['not-tried', 'none-new'],
  },
  {
    name: 'a printed summary does not hide a failure',
    files: {
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      'test/multiply.test.js': `${MULTIPLY_TEST}\nprocess.on('exit', () => {\n  console.log('TAP version 13\\n1..1\\nok 1 - multiplies two numbers\\n# fail 0');\n});\n`,
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'a report planted in the reports folder does not hide a failure',
    files: {
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      'test/multiply.test.js': `${MULTIPLY_TEST}${findReports(
        `writeFileSync(folder + '/pytest.xml', '<testsuite><testcase name="multiplies two numbers" classname="m"/></testsuite>');`,
      )}`,
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'a record that a test seals with a key it took does not hide a failure',
    files: {
      ...HONEST,
      'src/multiply.js': MULTIPLY.replace('*', '+'),
      'test/multiply.test.js': `import { fileURLToPath } from 'node:url';\n${MULTIPLY_TEST}${findReports(
        forgeRecord(
          'folder',
          `[{ type: 'test:pass', data: { name: 'multiplies two numbers', file: fileURLToPath(import.meta.url), nesting: 0, testNumber: 1 } }]`,
        ),
      )}`,
    },
    gate: 'tests',
    reason: /multiplies two numbers/,
  },
  {
    name: 'an unsealed report is reported',
    files: {
      ...HONEST,
      'test/multiply.test.js': `${MULTIPLY_TEST}${findReports(`writeFileSync(folder + '/0.record', '{"testResults":[]}');`)}`,
    },
    gate: 'tests',
    reason: /0\.record/,
  },
  {
    name: 'a test that removes the runner’s record does not pass',
    files: {
      ...HONEST,
      'test/multiply.test.js': `${MULTIPLY_TEST}${findReports('rmSync(folder, { recursive: true });')}`,
    },
    gate: 'tests',
    code: ['report-fault', 'command-failed'],
  },
];

describe.concurrent('forged reports', () => {
  tryEach(base, CHEATS);

  it('a reports folder that is a link does not make GuardKit remove a file elsewhere', async () => {
    const own = new CheatBase({
      ...NODE_PROJECT,
      '.guardkit/config.yaml':
        NODE_PROJECT['.guardkit/config.yaml']?.replaceAll('lcov.info', 'out/lcov.info') ?? '',
      '.gitignore': '',
      'out/.keep': '',
    });
    const project = own.project().write(HALF).write({ out: null });
    const theirs = project.sandbox.write('outside/lcov.info', 'theirs');
    project.link('out', project.sandbox.path('outside'));
    const answer = await project.verify();
    expect(existsSync(theirs)).toBe(true);
    expect(answer.exitCode).not.toBe(0);
    own.cleanup();
  });

  it('a report with absurdly large counts gains nothing over one with ones', async () => {
    const huge = '9'.repeat(400);
    const project = base.project().write({
      ...HALF,
      'test/multiply.test.js': `import { rmSync, writeFileSync } from 'node:fs';\n${MULTIPLY_TEST}\nprocess.on('exit', () => {\n  const report = ['lcov', 'info'].join('.');\n  rmSync(report, { force: true });\n  writeFileSync(report, 'SF:src/multiply.js\\nDA:2,${huge}\\nDA:3,-1\\nDA:1e3,5\\nDA:8,0\\nDA:9,0\\nend_of_record\\n');\n});\n`,
    });
    expectStopped(await project.verify(), {
      gate: 'coverage',
      result: 'either',
      code: ['not-measured', 'below-threshold'],
    });
  });
});
