import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { packageJson, TestProject } from './test-project.ts';

const IMPORTS: Record<string, string> = {
  vitest: "import { it } from 'vitest';\n",
  ava: "import it from 'ava';\n",
  uvu: "import { test as it } from 'uvu';\n",
};
const BODIES: Record<string, string> = { ava: '(t) => t.pass()' };

describe.each([
  { spec: 'vitest@0.34', scripts: ['vitest.mjs run', 'dist/cli.js run', 'dist/cli-wrapper.js run'] },
  { spec: 'vitest@3', scripts: ['vitest.mjs run', 'dist/cli.js run', 'dist/cli run'] },
  { spec: 'vitest@4', scripts: ['dist/cli.js run'] },
  { spec: 'jest@29', scripts: ['bin/jest.js', 'bin/jest', '../jest-cli/bin/jest.js'] },
  { spec: 'jest@30', scripts: ['bin/jest.js', 'bin/jest', '../jest-cli/bin/jest.js'] },
  { spec: 'mocha@6', scripts: ['bin/_mocha', 'bin/mocha'] },
  {
    spec: 'mocha@11',
    scripts: ['bin/_mocha', 'bin/mocha.js', 'bin/mocha', 'bin/mocha --expose-gc', 'lib/cli/cli.js'],
  },
  { spec: 'ava@3', scripts: ['cli.js', 'cli'] },
  { spec: 'ava@6', scripts: ['entrypoints/cli.mjs'] },
  { spec: 'uvu@0.5', scripts: ['bin.js test', 'bin test'] },
])('$spec', ({ spec, scripts }) => {
  const modules = npmPackages(spec);
  const [runner = ''] = spec.split('@');

  it.skipIf(!modules).each(scripts)('started by its script %s names its tests', async (script) => {
    const test = `node node_modules/${runner}/${script}`;
    const first = `${IMPORTS[runner] ?? ''}it('first', ${BODIES[runner] ?? '() => {}'});\n`;
    const project = new TestProject(
      {
        'package.json': runner === 'jest' ? '{}' : packageJson({ test }),
        'test/a.test.js': runner === 'uvu' ? `${first}it.run();\n` : first,
      },
      { modules: modules ?? '' },
    );
    onTestFinished(() => project.remove());
    const { exitCode, stdout, stderr } = await project.run(test);
    expect(exitCode, stdout + stderr).toBe(0);
    const { reports, unreadable } = await project.collect(stdout);
    expect(unreadable).toEqual([]);
    expect(reports.map((report) => report.runner)).toEqual([runner]);
    expect(reports.flatMap(outcomes)).toEqual(['passed first']);
  });

  it.skipIf(!modules || !['vitest', 'mocha'].includes(runner))('has no other such script', () => {
    const [folder, names] = runner === 'mocha' ? ['bin', /^_?mocha/] : ['dist', /^cli.*\.js$/];
    const found = readdirSync(join(modules ?? '', runner, folder)).filter((name) => names.test(name));
    const listed = scripts.map((script) => script.split(' ')[0]);
    expect(listed).toEqual(expect.arrayContaining(found.map((name) => `${folder}/${name}`)));
  });
});
