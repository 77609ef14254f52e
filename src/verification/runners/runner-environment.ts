import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface RunnerEnvironmentOptions {
  /** The folder for records; see `prepareReports`. */
  reportsFolder: string;
  /** See `tapFolder`; read-only for the command. */
  tapFolder: string;
  /** The command's original PATH. */
  path: string;
  /** The rest of the command's original environment. */
  base?: NodeJS.ProcessEnv;
}

/** In the reports folder, written by pytest itself: unsealed, and overwritten by the last of several runs. */
export const PYTEST_REPORT = 'pytest.xml';

/** Variables that make the runners of a test command report each test, however the command starts them. */
export function runnerEnvironment(options: RunnerEnvironmentOptions): Record<string, string> {
  const { reportsFolder, tapFolder, path, base = {} } = options;
  const reporter = pathToFileURL(join(tapFolder, 'node-reporter.mjs')).href;
  const ours = `--test-reporter=${reporter} --test-reporter-destination=stderr`;
  const tap = `--require ${quoted(join(tapFolder, 'tap.cjs'))}`;
  const bunTap = `--preload=${join(tapFolder, 'bun.cjs')}`;
  const forRunners = {
    // Bun splits them at blanks, and has no quotes.
    ...(/[\s"'\\]/.test(bunTap)
      ? {}
      : { BUN_OPTIONS: [bunTap, ...(base.BUN_OPTIONS ? [base.BUN_OPTIONS] : [])].join(' ') }),
    PYTHONPATH: [join(tapFolder, 'python'), ...(base.PYTHONPATH ? [base.PYTHONPATH] : [])].join(delimiter),
    // For a pytest that does not load our tap because its command sets PYTHONPATH. Only the xunit1 format contains
    // each test's file.
    PYTEST_ADDOPTS: `--junitxml=${quoted(join(reportsFolder, PYTEST_REPORT))} -o junit_family=xunit1`,
  };
  // A shim for a missing program would make scripts believe that it exists.
  const present = ['go', 'cargo', 'python', 'python3', 'pytest'].filter((program) =>
    path.split(delimiter).some((folder) => existsSync(join(folder, program))),
  );
  const folders = ['node', ...present].map((program) => join(tapFolder, 'path', program));
  const undo = Object.entries(forRunners).map(([name, value]) => [name, [value, base[name] ?? null]]);
  // For shells and package managers in between; the taps stop runners from watching and from writing snapshots.
  if (base.CI === '1') undo.push(['CI', ['1', null]]);
  return {
    ...forRunners,
    PATH: [...folders, path].join(delimiter),
    GUARDKIT_TAP_PATH: folders.join(delimiter),
    GUARDKIT_TAP_NODE: process.execPath,
    NODE_OPTIONS: tap,
    GUARDKIT_REPORTS: reportsFolder,
    GUARDKIT_TAP_OPTIONS: tap,
    GUARDKIT_TAP_REPORTER: ours,
    // Two reporters need a destination each; the default one stays on stdout.
    GUARDKIT_TAP_REPORTERS: `--test-reporter=spec --test-reporter-destination=stdout ${ours}`,
    // So that tests in Node see none of these.
    GUARDKIT_TAP_UNDO: JSON.stringify(Object.fromEntries(undo)),
  };
}

/** Quoted for both Node and pytest. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** The folder with the files for test runners: next to this file, or `dist/tap` in the package. */
export function tapFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = [join(here, 'tap'), join(here, '..', 'tap')];
  const found = candidates.find((folder) => existsSync(join(folder, 'tap.cjs')));
  if (found === undefined)
    throw new Error(`The GuardKit package is incomplete: no tap.cjs in ${candidates.join(' or ')}.`);
  // The path that Node reports after loading, also for a linked package.
  return realpathSync(found);
}
