import type { VerifyConfig } from '../project/verify-config.ts';
import { buildCommand } from './build-command.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { nodeCoverage } from './node-coverage.ts';
import {
  majorOf,
  namedPackages,
  type PackageFile,
  readPackageFile,
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
import { lastCommand, scriptCommands } from './script-commands.ts';
import { PLACEHOLDER, testEveryPackage } from './workspace-commands.ts';

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
    everywhere(manager, testEveryPackage(manager, packages)) ??
    withoutWatching(file, manager) ??
    findRunner(view, file, manager);
  if (!tests) return undefined;
  const { command: measuring, report, coverage, notes } = withCoverage(view, file, manager, tests);
  const build = buildCommand(view, file, manager, { script: tests.script, packages });
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
      ...(needsInstall && manager.program.startsWith('corepack ') ? throughNpx(view) : []),
    ],
  });
}

/** Corepack refuses package managers whose signature it cannot check, such as those of a company's registry. */
function throughNpx(view: ProjectView): VerifyConfig[] {
  const hasProgram = (name: string) => name !== 'corepack' && view.hasProgram(name);
  const found = detectNode({ ...view, hasProgram });
  return found === undefined ? [] : [found.verify, ...found.alternatives];
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

/** bun cannot be limited to the affected packages by a changed command. */
function everywhere({ name }: PackageManager, command: string | undefined): FoundTests | undefined {
  return command === undefined ? undefined : { script: undefined, command, everywhere: name !== 'bun' };
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

function withCoverage(view: ProjectView, file: PackageFile, manager: PackageManager, tests: FoundTests) {
  const found = nodeCoverage({ view, file, manager, ...tests });
  const { tests: command = tests.command, testReport: report, coverage, notes } = found;
  return { command, report, coverage, notes };
}
