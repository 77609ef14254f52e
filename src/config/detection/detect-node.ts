import type { VerifyConfig } from '../project/verify-config.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { nodeCoverage } from './node-coverage.ts';
import {
  majorOf,
  namedPackages,
  type PackageFile,
  readPackageFile,
  type WorkspacePackage,
  workspacePackages,
} from './package-files.ts';
import {
  findPackageManager,
  type PackageManager,
  runInstalled,
  runScript,
  runScriptWith,
} from './package-manager.ts';
import { mentions, type ProjectView } from './project-view.ts';
import { calledScripts, lastCommand, scriptCommands } from './script-commands.ts';

/** npm writes this script into a new package. It fails and tests nothing. */
const PLACEHOLDER = /no test specified/;
const WATCHES = /(?:^|\s)(?:--watch(?:All)?(?!=false)|watch)(?:\s|$)/;

/** Scripts that run tests, best first. */
const TEST_SCRIPTS = ['test', 'test:ci', 'test:run', 'test:once', 'test:unit', 'unit', 'tests', 'test:all'];
const RUNNERS: readonly (readonly [name: string, call: string])[] = [
  ['vitest', 'vitest run'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['ava', 'ava'],
  ['tap', 'tap'],
  ['uvu', 'uvu'],
  ['jasmine', 'jasmine'],
];
const LOCK_FILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
const NODE_TEST_FILE = /(?:^|\/)(?:test\/.*|[^/]+[.-]test|test)\.[cm]?js$/;

export function detectNode(view: ProjectView): DetectedVerify | undefined {
  const file = readPackageFile(view);
  if (!file) return undefined;
  const manager = findPackageManager(view, file);
  const packages = workspacePackages(view);
  const tests =
    findScript(file, manager) ??
    workspaceTests(manager, packages) ??
    withoutWatching(file, manager) ??
    findRunner(view, file, manager);
  if (!tests) return undefined;
  const { command: measuring, report, coverage, notes } = withCoverage(view, file, manager, tests);
  const build = buildScript(view, file, manager, tests.script);
  const withBuild = (text: string) => (build === undefined ? text : `${build.command} && ${text}`);
  const isNeeded = build?.needed === true;
  const needsInstall =
    namedPackages(file).size > 0 ||
    packages.length > 0 ||
    LOCK_FILES.some(view.has) ||
    ['prepare', 'postinstall'].some((name) => file.scripts?.[name] !== undefined);
  const make = (prefix: (text: string) => string): VerifyConfig => ({
    ...(needsInstall ? { setup: manager.install } : {}),
    tests: {
      command: prefix(measuring),
      ...(report === undefined ? {} : { report }),
      ...(tests.everywhere ? { packages: 'affected' as const } : {}),
    },
    ...(coverage
      ? {
          coverage: {
            ...coverage,
            ...(coverage.command === undefined ? {} : { command: prefix(coverage.command) }),
          },
        }
      : {}),
  });
  const plain = (text: string) => text;
  const verify = make(isNeeded ? withBuild : plain);
  return detected(manager.name === 'yarn-berry' ? 'yarn' : manager.name, verify, {
    notes: [...manager.notes, ...notes],
    // A build of unclear use is tried only if the tests fail without it.
    alternatives: [
      ...(build === undefined ? [] : [make(isNeeded ? plain : withBuild)]),
      ...narrowerTests(file, tests).map((script) => narrowed(view, file, manager, script)),
    ],
  });
}

/** Scripts for part of the tests, if the others need a missing browser, network or linter. */
const PARTS =
  /^(?:tests?[:-])(?:node|only|unit|units|mocha|jest|vitest|ava|tap|tape|uvu|core|lib|src|ci)$|^(?:unit|mocha|jest|ava|uvu)$/;
const KNOWN_RUNNERS =
  /^(?:vitest|jest|mocha|_mocha|ava|tap|tape|uvu|jasmine|lab|qunit|c8|nyc|istanbul|node|tsx|bun|borp)$/;

function narrowerTests(file: PackageFile, { script }: FoundTests): string[] {
  const scripts = file.scripts ?? {};
  return Object.keys(scripts).filter(
    (name) =>
      name !== script &&
      PARTS.test(name) &&
      scriptCommands(scripts[name] ?? '').some(({ program }) => KNOWN_RUNNERS.test(program)),
  );
}

function narrowed(
  view: ProjectView,
  file: PackageFile,
  manager: PackageManager,
  script: string,
): VerifyConfig {
  const tests = { script, command: runScript(manager, script) };
  const { command, report, coverage } = withCoverage(view, file, manager, tests);
  return {
    setup: manager.install,
    tests: { command, ...(report === undefined ? {} : { report }) },
    ...(coverage ? { coverage } : {}),
  };
}

interface FoundTests {
  script: string | undefined;
  command: string;
  /** The command runs the tests of every package, and can be limited to some. */
  everywhere?: boolean;
}

function findScript(file: PackageFile, manager: PackageManager): FoundTests | undefined {
  const scripts = file.scripts ?? {};
  const usable = (name: string) => {
    const script = scripts[name];
    return script !== undefined && !PLACEHOLDER.test(script) && !WATCHES.test(script);
  };
  const script = TEST_SCRIPTS.find(usable);
  return script === undefined ? undefined : { script, command: testCommand(file, manager, script) };
}

/** The tests of a script that watches, run once with its other arguments. */
function withoutWatching(file: PackageFile, manager: PackageManager): FoundTests | undefined {
  const script = TEST_SCRIPTS.map((name) => file.scripts?.[name] ?? '').find((text) => WATCHES.test(text));
  const [command, ...others] = scriptCommands(script ?? '');
  if (command === undefined || others.length > 0) return undefined;
  const [, call] = RUNNERS.find(([name]) => name === command.program) ?? [];
  const args = command.args.filter((arg) => !/^(?:watch|dev|-w|--watch(?:All)?)$/.test(arg));
  // Quotes and variables are for the shell, which the script would have passed.
  if (call === undefined || !args.every((arg) => /^[\w./@:=,-]+$/.test(arg))) return undefined;
  return { script: undefined, command: runInstalled(manager, [call, ...args].join(' ')) };
}

/** An installed runner that no script starts. */
function findRunner(view: ProjectView, file: PackageFile, manager: PackageManager): FoundTests | undefined {
  const packages = namedPackages(file);
  const runner = RUNNERS.find(([name]) => packages.has(name));
  if (runner) return { script: undefined, command: runInstalled(manager, runner[1]) };
  if (manager.name === 'bun' && view.files.some((path) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(path)))
    return { script: undefined, command: 'bun test' };
  const own = view.files.filter((path) => NODE_TEST_FILE.test(path));
  if (mentions(view, own.slice(0, 50), /["']node:test["']/))
    return { script: undefined, command: 'node --test' };
  return undefined;
}

function testCommand(file: PackageFile, manager: PackageManager, script: string): string {
  const last = lastCommand(file.scripts ?? {}, script);
  // Turborepo 2 otherwise removes the variables that load GuardKit's tap.
  const strict = last?.program === 'turbo' && (majorOf(namedPackages(file).get('turbo')) ?? 2) >= 2;
  return strict ? runScriptWith(manager, script, '--env-mode=loose') : runScript(manager, script);
}

/** Packages with tests, in a repository whose root has no script for all of them. */
function workspaceTests(
  manager: PackageManager,
  packages: readonly WorkspacePackage[],
): FoundTests | undefined {
  const tested = packages.filter(({ file }) => {
    const script = file.scripts?.test;
    return script !== undefined && !PLACEHOLDER.test(script);
  });
  if (tested.length === 0) return undefined;
  const { name, program, hasForeach } = manager;
  const oneByOne = tested.map((one) => `${program} workspace ${one.name} test`).join(' && ');
  const commands: Record<PackageManager['name'], string> = {
    npm: 'npm test --workspaces --if-present',
    pnpm: `${program} -r test`,
    yarn: oneByOne,
    'yarn-berry': hasForeach ? `${program} workspaces foreach --all run test` : oneByOne,
    bun: `${program} run --filter '*' test`,
  };
  return { script: undefined, command: commands[name], everywhere: name !== 'bun' };
}

function withCoverage(view: ProjectView, file: PackageFile, manager: PackageManager, tests: FoundTests) {
  const found = nodeCoverage({ view, file, manager, ...tests });
  const { tests: command = tests.command, testReport: report, coverage, notes } = found;
  return { command, report, coverage, notes };
}

/** A build that comes before the tests, unless a script of theirs starts it already. */
function buildScript(
  view: ProjectView,
  file: PackageFile,
  manager: PackageManager,
  script: string | undefined,
): { command: string; needed: boolean } | undefined {
  const scripts = file.scripts ?? {};
  // A `build` that runs the tests as well is not what they need.
  const build = ['build', 'compile'].find(
    (name) =>
      scripts[name] !== undefined && (script === undefined || !calledScripts(scripts, name).includes(script)),
  );
  if (build === undefined) return undefined;
  const around = script === undefined ? [] : [`pre${script}`, script];
  const called = around.flatMap((name) => calledScripts(scripts, name));
  // Installing runs these.
  const installed = ['prepare', 'postinstall'].flatMap((name) => calledScripts(scripts, name));
  if ([...called, ...installed].includes(meantScript(scripts, build))) return undefined;
  const compiles = called
    .flatMap((name) => scriptCommands(scripts[name] ?? ''))
    .some(({ program }) => /^(?:tsc|tsup|rollup|esbuild|turbo|nx)$/.test(program));
  if (compiles) return undefined;
  const command = runScript(manager, build);
  return { command, needed: usesBuild(view, file) };
}

/** Of `build: npm run prepare`, the script `prepare`. */
function meantScript(scripts: Readonly<Record<string, string>>, name: string): string {
  const [only = name] = calledScripts(scripts, name).slice(1);
  return scriptCommands(scripts[name] ?? '').length === 1 ? only : name;
}

/** Tests that load build output. */
function usesBuild(view: ProjectView, file: PackageFile): boolean {
  const folder = builtFolder(view, file);
  const tests = view.files
    .filter((path) => /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.[cm]?[jt]sx?$/.test(path))
    .slice(0, 300);
  const folders =
    folder === undefined ? ['dist', 'build', 'out'].filter((one) => !hasFolder(view, one)) : [folder];
  const relative = new RegExp(
    `(?:from|require\\(|import\\()\\s*["'](?:\\.\\.?/)+(?:${folders.map(escaped).join('|')})(?:/|["'])`,
  );
  return folders.length > 0 && mentions(view, tests, relative);
}

/** The folder of a package's entry, if the repository does not contain it. */
function builtFolder(view: ProjectView, file: PackageFile): string | undefined {
  const entries = [file.main, file.module, ...pathsIn(file.exports)].filter((path) => path !== undefined);
  const folders = entries.map((path) => /^(?:\.\/)?([\w.-]+)\//.exec(path)?.[1]);
  return folders.find((one) => one !== undefined && !hasFolder(view, one));
}

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(pathsIn);
}

function hasFolder(view: ProjectView, folder: string): boolean {
  return view.files.some((path) => path.startsWith(`${folder}/`));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
