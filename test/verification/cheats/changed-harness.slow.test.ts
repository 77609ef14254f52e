import { afterAll, describe, expect, it } from 'vitest';
import { MEASURE_TESTS } from '../../support/verified-project.ts';
import { CheatBase, config, HONEST, ONE_PROCESS_PROJECT } from './cheat-project.ts';
import { type Cheat, tryEach } from './expect-stopped.ts';
import { forgeRecord } from './forge-record.ts';

const manifest = (more: object = {}, scripts: object = {}): string =>
  JSON.stringify({
    name: 'calc',
    version: '1.0.0',
    type: 'module',
    scripts: { test: MEASURE_TESTS, ...scripts },
    ...more,
  });

const base = new CheatBase({
  ...ONE_PROCESS_PROJECT,
  '.guardkit/config.yaml': config(
    'tests:\n  command: npm test\ncoverage:\n  report: lcov.info\nchecks:\n  - name: lint\n    command: make -s lint\n',
  ),
  'package.json': manifest(),
  'package-lock.json': JSON.stringify({
    name: 'calc',
    lockfileVersion: 3,
    packages: {
      'node_modules/vitest': {
        version: '4.0.0',
        resolved: 'https://registry.npmjs.org/vitest/-/vitest-4.0.0.tgz',
        integrity: 'sha512-AAAA',
        dev: true,
      },
    },
  }),
  Makefile: 'lint:\n\tgrep -q export src/add.js\n',
});
afterAll(() => base.cleanup());

it.concurrent('the honest change behind these cheats passes, with an added script', async () => {
  const answer = await base
    .project()
    .write({ ...HONEST, 'package.json': manifest({}, { start: 'node src/add.js' }) })
    .verify();
  expect(answer.exitCode, answer.stdout + answer.stderr).toBe(0);
});

/** In place of Node: takes a key meant for runners and seals a forged report. */
const forgingNode = (real: string): string => `#!${real}
const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
const event = (type, name, file) => ({ type, data: { name, file: process.cwd() + '/' + file, nesting: 0, testNumber: 1 } });
const folder = process.env.GUARDKIT_REPORTS;
if (folder) {
${forgeRecord(
  'folder',
  `[
    event('test:pass', 'adds two numbers', 'test/add.test.js'),
    event('test:pass', 'adds a negative number', 'test/add.test.js'),
    event(existsSync('src/multiply.js') ? 'test:pass' : 'test:fail', 'multiplies two numbers', 'test/multiply.test.js'),
  ]`,
)}
}
writeFileSync('lcov.info', 'SF:src/add.js\\nDA:1,1\\nend_of_record\\nSF:src/multiply.js\\nDA:1,1\\nDA:2,1\\nDA:3,1\\nend_of_record\\n');
`;

const CHEATS: Cheat[] = [
  {
    name: 'a test script that only echoes does not count as tests',
    files: { ...HONEST, 'package.json': manifest({}, { test: 'echo all tests passed' }) },
    gate: 'tests',
    result: 'absent',
    code: 'none-executed',
  },
  {
    name: 'a test script that only echoes is a changed harness',
    files: { ...HONEST, 'package.json': manifest({}, { test: 'echo all tests passed' }) },
    gate: 'harness',
    reason: /scripts\.test/,
  },
  {
    name: 'a test script whose exit code is swallowed is a changed harness',
    files: { ...HONEST, 'package.json': manifest({}, { test: `${MEASURE_TESTS} || true` }) },
    gate: 'harness',
    reason: /scripts\.test/,
  },
  {
    name: 'a script that runs before the tests is a changed harness',
    files: { ...HONEST, 'package.json': manifest({}, { pretest: 'rm test/add.test.js' }) },
    gate: 'harness',
    reason: /scripts\.pretest/,
  },
  {
    name: 'a script that runs after the tests is a changed harness',
    files: { ...HONEST, 'package.json': manifest({}, { posttest: 'node forge.js' }), 'forge.js': '' },
    gate: 'harness',
    reason: /scripts\.posttest/,
  },
  {
    name: 'a custom shell for scripts is a changed harness',
    files: { ...HONEST, '.npmrc': 'script-shell=./shell.sh\n' },
    also: (project) => project.program('shell.sh', '#!/bin/sh\nexit 0\n'),
    gate: 'harness',
    reason: /\.npmrc/,
  },
  {
    name: 'a custom shell under a quoted name is a changed harness',
    files: { ...HONEST, '.npmrc': '"script-shell"=./shell.sh\n' },
    also: (project) => project.program('shell.sh', '#!/bin/sh\nexit 0\n'),
    gate: 'harness',
    reason: /\.npmrc/,
  },
  {
    name: 'a custom shell under a name with a variable is a changed harness',
    files: { ...HONEST, '.npmrc': 'script${NOTHING?}-shell=./shell.sh\n' },
    also: (project) => project.program('shell.sh', '#!/bin/sh\nexit 0\n'),
    gate: 'harness',
    reason: /\.npmrc/,
  },
  {
    name: 'options for Node in .npmrc are a changed harness',
    files: { ...HONEST, '.npmrc': 'node-options=--require=./quiet.cjs\n', 'quiet.cjs': '' },
    gate: 'harness',
    reason: /\.npmrc/,
  },
  {
    name: 'a committed node_modules with a program named node is a changed harness',
    files: HONEST,
    also: (project) =>
      project
        .program('node_modules/.bin/node', forgingNode(process.execPath))
        .git('add', '--force', 'node_modules'),
    gate: 'harness',
    reason: /node_modules/,
  },
  {
    name: 'a node_modules that links into the tree is a changed harness',
    files: HONEST,
    also: (project) =>
      project.program('vendor/.bin/node', forgingNode(process.execPath)).link('node_modules', 'vendor'),
    gate: 'harness',
    reason: /node_modules/,
  },
  {
    name: 'a runner from a folder of the tree is a changed harness',
    files: {
      ...HONEST,
      'package.json': manifest({ devDependencies: { vitest: 'file:./fake' } }),
      'fake/package.json': '{"name":"vitest"}',
    },
    gate: 'harness',
    reason: /vitest/,
  },
  {
    name: 'a runner under an alias is a changed harness',
    files: { ...HONEST, 'package.json': manifest({ devDependencies: { vitest: 'npm:fake-vitest@1' } }) },
    gate: 'harness',
    reason: /vitest/,
  },
  {
    name: 'a lock file that takes the same runner version from another source is a changed harness',
    files: HONEST,
    also: (project) =>
      project.write({
        'package-lock.json': JSON.stringify({
          name: 'calc',
          lockfileVersion: 3,
          packages: {
            'node_modules/vitest': {
              version: '4.0.0',
              resolved: 'https://example.invalid/vitest-4.0.0.tgz',
              integrity: 'sha512-BBBB',
              dev: true,
            },
          },
        }),
      }),
    gate: 'harness',
    reason: /package-lock\.json/,
  },
  {
    name: 'a changed target of the Makefile is a changed harness',
    files: { ...HONEST, Makefile: 'lint:\n\t-grep -q nothing src/add.js\n' },
    gate: 'harness',
    reason: /Makefile/,
  },
  {
    name: 'a GNUmakefile, which make prefers to the Makefile, is a changed harness',
    files: { ...HONEST, GNUmakefile: 'lint:\n\ttrue\n' },
    gate: 'harness',
    reason: /GNUmakefile/,
  },
  {
    name: 'a makefile in lower case, which make prefers too, is a changed harness',
    files: { ...HONEST, makefile: 'lint:\n\ttrue\n' },
    gate: 'harness',
    reason: /makefile/,
  },
  {
    name: 'a right module in JavaScript beside a wrong one in TypeScript is a changed harness',
    files: { ...HONEST, 'src/multiply.ts': 'export const multiply = (a: number, b: number) => a + b;\n' },
    gate: 'harness',
    reason: /src\/multiply\.js.*src\/multiply\.ts/,
  },
  {
    name: 'a package.json with two test scripts is a changed harness',
    files: {
      ...HONEST,
      'package.json': `{"name":"calc","type":"module","scripts":{"test":${JSON.stringify(MEASURE_TESTS)},"test":"true"}}`,
    },
    gate: 'harness',
    reason: /scripts\.test/,
  },
  {
    name: 'a package.json that links out of the tree is a changed harness',
    files: HONEST,
    also: (project) => {
      project.sandbox.write('outside/package.json', manifest({}, { test: 'true' }));
      project.link('package.json', project.sandbox.path('outside/package.json'));
    },
    gate: 'harness',
    reason: /package\.json/,
  },
];

describe.concurrent('a changed harness', () => tryEach(base, CHEATS));
