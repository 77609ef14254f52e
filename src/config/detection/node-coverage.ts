import type { VerifyConfig } from '../project/verify-config.ts';
import { JEST_FLAGS, measuredJestScript } from './jest-coverage.ts';
import { majorOf, namedPackages, type PackageFile, workspacePackages } from './package-files.ts';
import { type PackageManager, runInstalled, runScript, runScriptWith } from './package-manager.ts';
import { mentions, type ProjectView } from './project-view.ts';
import { calledScripts, lastCommand, type ScriptCommand, scriptCommands } from './script-commands.ts';
import { measuresVitest, VITEST_FLAGS, VITEST_REPORT, withoutPlainCoverage } from './vitest-coverage.ts';

export interface NodeTests {
  view: ProjectView;
  file: PackageFile;
  manager: PackageManager;
  /** The script that runs the tests; undefined if the runner is called directly. */
  script: string | undefined;
  /** How the tests are run. */
  command: string;
}

type Coverage = NonNullable<VerifyConfig['coverage']>;

export interface NodeCoverage {
  /** The test command, where another one leaves the report by the way. */
  tests?: string;
  /** The report that it then writes, for a runner without a tap. */
  testReport?: string;
  coverage?: Coverage;
  notes: string[];
}

const LCOV = 'coverage/lcov.info';
const BUN_REPORT = 'bun-junit.xml';
/** Without a complete coverage, node-tap fails unless it is told not to. */
const TAP_COVERAGE_FLAGS = '--no-disable-coverage --allow-incomplete-coverage';

const OWN_SCRIPTS =
  /^(?:test[:-])?(?:coverage|cover|cov)(?::ci)?$|^(?:coverage|cov)[:-]test$|^test[:-]ci[:-]coverage$/;
/** Scripts that upload or show an existing report. */
const ONLY_REPORTS = /^(?:codecov|coveralls|open|serve|http-server|cat|xdg-open|opener)$/;

/** The project's own coverage command, otherwise one of its installed tools; never a missing tool. */
export function nodeCoverage(tests: NodeTests): NodeCoverage {
  return ownScript(tests) ?? byTestScript(tests) ?? byRunner(tests) ?? { notes: [missingTool(tests)] };
}

/** A script such as `coverage` or `test:cov`. */
function ownScript(tests: NodeTests): NodeCoverage | undefined {
  const { view, file, manager } = tests;
  const scripts = file.scripts ?? {};
  const name = Object.keys(scripts).find((one) => OWN_SCRIPTS.test(one) && measures(scripts, one));
  if (name === undefined) return undefined;
  const ranAlready = calledByTests(tests, name);
  if (ranAlready) return ranAlready;
  const command = runScript(manager, name);
  const called = calledScripts(scripts, name).flatMap((one) => scriptCommands(scripts[one] ?? ''));
  const wrapper = called.find(({ program }) => program === 'c8' || program === 'nyc');
  if (wrapper) return { coverage: wrapped(view, file, manager, wrapper, command), notes: [] };
  const last = lastCommand(scripts, name);
  if (last?.program === 'vitest' && !measuresVitest(namedPackages(file))) return undefined;
  if (last?.program === 'vitest' && limitsReporters(view, 'vitest', last))
    return {
      coverage: {
        command:
          withoutPlainCoverage(manager, namedPackages(file), last) ??
          runScriptWith(manager, name, VITEST_FLAGS.replace('--coverage.enabled ', '')),
        report: LCOV,
      },
      notes: [],
    };
  if (last?.program === 'jest' && limitsReporters(view, 'jest', last))
    return { coverage: { command: runScriptWith(manager, name, JEST_FLAGS), report: LCOV }, notes: [] };
  return { coverage: { command }, notes: [] };
}

/** The coverage script is part of the tests, whose run then leaves the report. */
function calledByTests(tests: NodeTests, name: string): NodeCoverage | undefined {
  const { view, file, script } = tests;
  const scripts = file.scripts ?? {};
  if (script === undefined || !calledScripts(scripts, script).includes(name)) return undefined;
  const wrapped = byTestScript(tests);
  if (wrapped) return wrapped;
  const commands = calledScripts(scripts, name).flatMap((one) => scriptCommands(scripts[one] ?? ''));
  const runner = (['jest', 'vitest'] as const).find((one) => commands.some(({ program }) => program === one));
  const isEnabled = commands.some(({ args }) => args.includes('--coverage'));
  if (!runner || !isEnabled || commands.some((one) => limitsReporters(view, runner, one))) return undefined;
  if (runner === 'vitest' && !measuresVitest(namedPackages(file))) return undefined;
  return { coverage: { report: runner === 'jest' ? LCOV : VITEST_REPORT }, notes: [] };
}

/** Whether a script measures, rather than sending or showing a report; and neither calls scripts that are gone. */
function measures(scripts: Readonly<Record<string, string>>, name: string): boolean {
  const commands = calledScripts(scripts, name).flatMap((one) => scriptCommands(scripts[one] ?? ''));
  const isWhole = commands.every(
    ({ program, args }) =>
      !(program === 'npm' && args[0] === 'run') ||
      scripts[args.find((arg, at) => at > 0 && !arg.startsWith('-')) ?? ''] !== undefined,
  );
  return (
    isWhole &&
    commands.some(
      ({ program, args }) =>
        !ONLY_REPORTS.test(program) &&
        !(/^(?:c8|nyc)$/.test(program) && /^(?:report|merge)$/.test(args[0] ?? '')) &&
        !(program === 'tap' && args.some((arg) => arg.startsWith('--coverage-report'))),
    )
  );
}

/** c8 and nyc keep their data, so that a report can be generated afterwards. */
function wrapped(
  view: ProjectView,
  file: PackageFile,
  manager: PackageManager,
  { program, args }: ScriptCommand,
  command: string,
): Coverage {
  if (writesLcov(view, file, program, args)) return { command, report: LCOV };
  const report = runInstalled(manager, `${program} report --reporter=lcovonly --report-dir=coverage`);
  return { command: `${command} && ${report}`, report: LCOV };
}

/** Whether c8 or nyc are configured to write lcov to the expected path. */
function writesLcov(view: ProjectView, file: PackageFile, program: string, args: readonly string[]): boolean {
  const files = [
    '.c8rc',
    '.c8rc.json',
    '.nycrc',
    '.nycrc.json',
    '.nycrc.yml',
    '.nycrc.yaml',
    'nyc.config.js',
  ];
  const settings = [
    JSON.stringify((program === 'c8' ? file.c8 : file.nyc) ?? ''),
    args.join(' '),
    ...files.map((name) => view.text(name) ?? ''),
  ].join('\n');
  return /lcov/.test(settings) && !/reports?-dir|reportDir/.test(settings);
}

/** Whether a configuration sets reporters, which GuardKit may not be able to read. */
function limitsReporters(view: ProjectView, runner: 'vitest' | 'jest', { args }: ScriptCommand): boolean {
  const key = runner === 'vitest' ? /reporter\s*:|reportsDirectory/ : /coverageReporters|coverageDirectory/;
  const configs = view.files.filter((path) =>
    new RegExp(`^(?:${runner}|vite)\\.config\\.[cm]?[jt]s(?:on)?$`).test(path),
  );
  const inPackage = runner === 'jest' && mentions(view, ['package.json'], key);
  return (
    inPackage ||
    mentions(view, configs, key) ||
    args.some((arg) => /^--coverage(?:\.reporter|Reporters|Directory)/.test(arg))
  );
}

/** The test command itself uses c8 or nyc, or enables coverage. */
function byTestScript({ view, file, manager, script, command }: NodeTests): NodeCoverage | undefined {
  if (script === undefined) return undefined;
  const scripts = file.scripts ?? {};
  const commands = calledScripts(scripts, script).flatMap((one) => scriptCommands(scripts[one] ?? ''));
  const wrapper = commands.find(
    ({ program, args }) => /^(?:c8|nyc)$/.test(program) && !/^(?:report|check-coverage)$/.test(args[0] ?? ''),
  );
  if (!wrapper) return undefined;
  const { command: measured = command, report } = wrapped(view, file, manager, wrapper, command);
  return { tests: measured, coverage: { report: report ?? LCOV }, notes: [] };
}

function byRunner(tests: NodeTests): NodeCoverage | undefined {
  const { file, manager, script, command } = tests;
  const packages = namedPackages(file);
  const last =
    script === undefined ? scriptCommands(command).at(-1) : lastCommand(file.scripts ?? {}, script);
  const appended = (flags: string) =>
    script === undefined ? `${command} ${flags}` : runScriptWith(manager, script, flags);
  const runner = last?.program;
  if (packages.has('vitest') && measuresVitest(packages)) {
    const call =
      withoutPlainCoverage(manager, packages, last) ??
      (runner === 'vitest' ? appended(VITEST_FLAGS) : runInstalled(manager, `vitest run ${VITEST_FLAGS}`));
    return { coverage: { command: call, report: LCOV }, notes: [] };
  }
  if (runner === 'jest' || runner === 'react-scripts') {
    const measured = script === undefined ? undefined : measuredJestScript(file, script);
    const call = measured === undefined ? appended(JEST_FLAGS) : runScriptWith(manager, measured, JEST_FLAGS);
    return { coverage: { command: call, report: LCOV }, notes: [] };
  }
  if (runner === 'tap') {
    const flag = '--coverage-report=lcovonly';
    // With this option, older versions run no test but report on the run before.
    const isOld = (majorOf(packages.get('tap')) ?? 0) < 18;
    const flags = disablesTapCoverage(tests, last) ? `${TAP_COVERAGE_FLAGS} ${flag}` : flag;
    const coverage = isOld
      ? { command: `${command} && ${runInstalled(manager, `tap ${flag}`)}`, report: LCOV }
      : { command: appended(flags), report: '.tap/report/lcov.info' };
    return { coverage, notes: [] };
  }
  // Of several outputs, lab needs a place for each.
  if (runner === 'lab' && !last?.args.some((arg) => /^-[ro]|^--(?:reporter|output)/.test(arg)))
    return {
      coverage: { command: appended('-c -r console -o stdout -r lcov -o lcov.info'), report: 'lcov.info' },
      notes: [],
    };
  if (runner === 'bun' && last?.args[0] === 'test')
    return {
      tests: appended(
        `--reporter=junit --reporter-outfile=${BUN_REPORT} --coverage --coverage-reporter=lcov`,
      ),
      testReport: BUN_REPORT,
      coverage: { report: LCOV },
      notes: [],
    };
  const wrapper = ['c8', 'nyc'].find((tool) => packages.has(tool));
  if (wrapper !== undefined && !packages.has('vitest'))
    return {
      coverage: {
        command: runInstalled(manager, `${wrapper} --reporter=lcovonly --report-dir=coverage ${command}`),
        report: LCOV,
      },
      notes: [],
    };
  const byNodeItself = byNode(tests);
  if (byNodeItself !== undefined || !packages.has('jest')) return byNodeItself;
  return { coverage: { command: runInstalled(manager, `jest ${JEST_FLAGS}`), report: LCOV }, notes: [] };
}

/** Whether a project turns off the coverage that node-tap measures since version 18. */
function disablesTapCoverage({ view }: NodeTests, call: ScriptCommand | undefined): boolean {
  return (
    call?.args.includes('--disable-coverage') ||
    mentions(view, ['.taprc', 'package.json'], /disable-coverage["']?\s*:\s*true/)
  );
}

/** Node's runner has built-in coverage; of a chain of commands, only its calls are needed. */
function byNode({ file, manager, script, command }: NodeTests): NodeCoverage | undefined {
  const scripts = file.scripts ?? {};
  const names = script === undefined ? [] : calledScripts(scripts, script);
  const texts = script === undefined ? [command] : names.map((name) => scripts[name] ?? '');
  const calls = texts
    .flatMap(scriptCommands)
    .map(({ text }) => text)
    .filter((text) => NODE_TEST.test(text) && !/[<>$`]/.test(text));
  if (calls.length === 0) return undefined;
  const places = calls.length === 1 ? ['lcov.info'] : calls.map((_call, at) => `lcov-${at + 1}.info`);
  const measuring = calls.map((text, at) => withLcov(text, places[at] ?? 'lcov.info'));
  const joined = calls.length === 1 ? [] : [`cat ${places.join(' ')} > lcov.info`];
  const build = preparation(scripts, `pre${script}`) ?? names.find((name) => BUILD.test(name));
  const before = build === undefined ? [] : [runScript(manager, build)];
  return {
    coverage: { command: [...before, ...measuring, ...joined].join(' && '), report: 'lcov.info' },
    notes: [],
  };
}

/** Names of scripts that make what the tests load. */
const BUILD = /^(?:build|compile|transpile|tsc)(?::|$)/;

/** A script that the package manager runs before the tests, if it does more than lint: it may build what they load. */
function preparation(scripts: Readonly<Record<string, string>>, name: string): string | undefined {
  const commands = calledScripts(scripts, name).flatMap((one) => scriptCommands(scripts[one] ?? ''));
  const lints = /^(?:npm|pnpm|yarn|eslint|xo|standard|prettier|biome|oxlint)$/;
  return commands.every(({ program }) => lints.test(program)) ? undefined : name;
}

const NODE_TEST = /^(?:[A-Z_]+=\S+ )*node (?:-\S+ (?:(?!-)\S+ )?)*?--test(?= |$)/;

function withLcov(text: string, place: string): string {
  const others = text.replace(/ --test-reporter(?:-destination)?[= ]\S+/g, '');
  // In addition to the usual reporter, so that the log still lists the tests.
  const usual = '--test-reporter=spec --test-reporter-destination=stdout';
  const flags = `--experimental-test-coverage ${usual} --test-reporter=lcov --test-reporter-destination=${place}`;
  return others.replace(/ --test(?= |$)/, ` --test ${flags}`);
}

function missingTool({ view, file, manager }: NodeTests): string {
  const packages = workspacePackages(view);
  const measuring = packages.find((one) => measuresItself(one.file));
  if (measuring !== undefined)
    return `Coverage is not measured: GuardKit does not know how to measure all packages at once. Set \`coverage.command\` and \`coverage.report\` (such as ${measuring.folder}/${LCOV}, or a glob) under \`verify:\`.`;
  const tool = namedPackages(file).has('vitest') ? '@vitest/coverage-v8' : 'c8';
  return `Coverage is not measured: no coverage tool is installed. \`${addToRoot(manager, packages.length > 0)} ${tool}\` adds one.`;
}

/** Whether the tests of a workspace package can measure coverage with what it has installed. */
function measuresItself(file: PackageFile): boolean {
  const packages = namedPackages(file);
  return measuresVitest(packages) || ['jest', 'c8', 'nyc', 'tap'].some((tool) => packages.has(tool));
}

/** Without an option, pnpm and yarn 1 refuse to add a package to the root of a workspace. */
function addToRoot({ name, program }: PackageManager, isWorkspace: boolean): string {
  if (name === 'npm') return 'npm install --save-dev';
  const option = { pnpm: ' -w', yarn: ' -W', 'yarn-berry': '', bun: '' }[name];
  return `${program} add --dev${isWorkspace ? option : ''}`;
}
