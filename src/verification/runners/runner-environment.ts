import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface RunnerEnvironmentOptions {
  /** Where records go; see `prepareReports`. */
  reportsFolder: string;
  /** See `tapFolder`; readable and not writable for the command. */
  tapFolder: string;
  /** The PATH that the command would have. */
  path: string;
  /** The rest of the environment that the command would have. */
  base?: NodeJS.ProcessEnv;
}

/** In the reports folder, written by pytest itself: without a seal, and by the last of several runs only. */
export const PYTEST_REPORT = 'pytest.xml';

/** What to add to the environment of a test command so that its runners name each test, whatever it goes through. */
export function runnerEnvironment(options: RunnerEnvironmentOptions): Record<string, string> {
  const { reportsFolder, tapFolder, path, base = {} } = options;
  const reporter = pathToFileURL(join(tapFolder, 'node-reporter.mjs')).href;
  const ours = `--test-reporter=${reporter} --test-reporter-destination=stderr`;
  const tap = `--require ${quoted(join(tapFolder, 'tap.cjs'))}`;
  const forRunners = {
    PYTHONPATH: [join(tapFolder, 'python'), ...(base.PYTHONPATH ? [base.PYTHONPATH] : [])].join(delimiter),
    // For a pytest that does not load our tap because its command sets PYTHONPATH. The older of the two forms names the
    // file of each test.
    PYTEST_ADDOPTS: `--junitxml=${quoted(join(reportsFolder, PYTEST_REPORT))} -o junit_family=xunit1`,
  };
  // A stand-in for a program that is not there would make scripts believe that it is.
  const present = ['go', 'cargo', 'python', 'python3', 'pytest'].filter((program) =>
    path.split(delimiter).some((folder) => existsSync(join(folder, program))),
  );
  const folders = ['node', ...present].map((program) => join(tapFolder, 'path', program));
  const undo = Object.entries(forRunners).map(([name, value]) => [name, [value, base[name] ?? null]]);
  // For the shells and package managers in between; the taps keep runners from watching and from writing snapshots.
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
    // Two reporters need a destination each; the usual one stays where a person looks for it.
    GUARDKIT_TAP_REPORTERS: `--test-reporter=spec --test-reporter-destination=stdout ${ours}`,
    // So that tests in Node find none of these.
    GUARDKIT_TAP_UNDO: JSON.stringify(Object.fromEntries(undo)),
  };
}

/** As Node and pytest both read it. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** Where the files lie that are loaded into test runners: beside this file, or in the built package in `dist/tap`. */
export function tapFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = [join(here, 'tap'), join(here, '..', 'tap')];
  const found = candidates.find((folder) => existsSync(join(folder, 'tap.cjs')));
  if (found === undefined)
    throw new Error(`The package is incomplete: no tap.cjs in ${candidates.join(' or ')}.`);
  // As Node will name it once it is loaded, also where the package is linked.
  return realpathSync(found);
}
