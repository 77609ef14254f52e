import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { npmPackages } from '../../support/npm-packages.ts';
import { outcomes } from '../test-reports/recorded.ts';
import { TestProject } from './test-project.ts';
import { expectUndisturbed } from './undisturbed.ts';

export interface Runner {
  packages: readonly string[];
  test: string;
  type?: 'module';
  files: Readonly<Record<string, string>>;
  /** One more file with one test. */
  other: Readonly<Record<string, string>>;
  outcomes: readonly string[];
  faults?: number;
  /** A test that only inspects its environment. */
  sees: Readonly<Record<string, string>>;
  /** Product code and a test that it disarms. */
  disarmed?: Readonly<Record<string, string>>;
  /** The runner runs only selected files. */
  selects: boolean;
}

/** Product code that disarms an assertion function, and a test that would fail. */
export const DISARM =
  "const assert = require('assert');\nassert.equal = () => {};\nexports.sum = (a, b) => a - b;\n";
export const DISARMED_TEST =
  "const assert = require('assert');\nconst { sum } = require('../src/sum.js');\nit('adds', () => assert.equal(sum(2, 3), 5));\n";

/** A vitest project whose coverage tool writes a file when it measures. */
export const MEASURED_BY_VITEST = {
  'vitest.config.js':
    "export default { test: { coverage: { enabled: true, provider: 'custom', customProviderModule: './measure.js' } } };",
  'measure.js': `import { writeFileSync } from 'node:fs';
const provider = {
  initialize(vitest) { provider.vitest = vitest; },
  resolveOptions: () => provider.vitest.config.coverage,
  clean() {},
  onAfterSuiteRun() {},
  generateCoverage() {},
  reportCoverage: () => writeFileSync('measured', ''),
};
export default { getProvider: () => provider };
`,
  'a.test.js': "import { it } from 'vitest'; it('adds', () => {});",
};

/** A project with the runner's test command. */
export function openRunner(
  runner: Runner,
  modules: string,
  files: Readonly<Record<string, string>>,
  select?: string[],
): TestProject {
  const { test, type } = runner;
  const text = JSON.stringify({
    name: 'project',
    private: true,
    ...(type ? { type } : {}),
    scripts: { test },
  });
  return new TestProject({ 'package.json': text, ...files }, { modules, ...(select ? { select } : {}) });
}

/** What every tap has to do, with real versions of the runners. */
export function testRunners(runners: readonly Runner[]): void {
  describe.each(runners)('$packages, $test', (runner) => {
    let project: TestProject | undefined;
    afterEach(() => project?.remove());
    const open = (...args: Parameters<typeof openRunner>) => {
      project = openRunner(...args);
      return project;
    };

    const modules = npmPackages(...runner.packages);
    const where = modules ?? join('/', 'nowhere');
    const without = modules === undefined ? ` (npm does not bring ${runner.packages.join(', ')})` : '';

    it.skipIf(!modules)(`names each test, its file and its outcome${without}`, async () => {
      const of = open(runner, where, { ...runner.files, ...runner.other });
      const { exitCode, stdout } = await of.run('npm test');
      const { reports, unreadable } = await of.collect(stdout);
      expect(unreadable).toEqual([]);
      expect(exitCode).not.toBe(0);
      expect(reports.flatMap(outcomes).sort()).toEqual([...runner.outcomes, 'passed other'].sort());
      expect(reports.flatMap(({ faults }) => faults)).toHaveLength(runner.faults ?? 0);
      const files = new Set(reports.flatMap(({ tests }) => tests.map(({ file }) => file)));
      expect([...files].sort()).toEqual([...Object.keys(runner.files), ...Object.keys(runner.other)].sort());
    });

    it.skipIf(!modules)(`shows nothing of the tap to code under test${without}`, async () => {
      await expectUndisturbed(open(runner, where, runner.sees), 'npm test');
    });

    it.skipIf(!modules || !runner.selects)(`runs only selected files${without}`, async () => {
      const of = open(runner, where, { ...runner.files, ...runner.other }, Object.keys(runner.other));
      await of.run('npm test');
      expect((await of.collect()).reports.flatMap(outcomes)).toEqual(['passed other']);
    });

    it.skipIf(!modules || !runner.disarmed)(`reports a replaced assertion function${without}`, async () => {
      const of = open(runner, where, runner.disarmed ?? {});
      await of.run('npm test');
      const { reports } = await of.collect();
      expect(reports.flatMap(({ faults }) => faults)).toMatchObject([{ code: 'assertions-replaced' }]);
    });
  });
}
