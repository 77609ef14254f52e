import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface RunnerEnvironmentOptions {
  /** Where records go; see `prepareReports`. */
  reportsFolder: string;
  /** See `tapFolder`; readable and not writable for the command. */
  tapFolder: string;
  /** The PATH that the command would have. */
  path: string;
}

/** In the reports folder, written by pytest itself: without a seal, and by the last of several runs only. */
export const PYTEST_REPORT = 'pytest.xml';

/** What to add to the environment of a test command so that its runners name each test, whatever it goes through. */
export function runnerEnvironment(options: RunnerEnvironmentOptions): Record<string, string> {
  const { reportsFolder, tapFolder, path } = options;
  const reporter = pathToFileURL(join(tapFolder, 'node-reporter.mjs')).href;
  const ours = `--test-reporter=${reporter} --test-reporter-destination=stderr`;
  const tap = `--require ${quoted(join(tapFolder, 'tap.cjs'))}`;
  return {
    // Without it vitest and jest may wait for changes instead of ending.
    CI: '1',
    PATH: [join(tapFolder, 'bin'), path].join(delimiter),
    NODE_OPTIONS: tap,
    GUARDKIT_REPORTS: reportsFolder,
    GUARDKIT_TAP_OPTIONS: tap,
    GUARDKIT_TAP_REPORTER: ours,
    // Two reporters need a destination each; the usual one stays where a person looks for it.
    GUARDKIT_TAP_REPORTERS: `--test-reporter=spec --test-reporter-destination=stdout ${ours}`,
    // The older of its two forms names the file of each test.
    PYTEST_ADDOPTS: `--junitxml=${quoted(join(reportsFolder, PYTEST_REPORT))} -o junit_family=xunit1`,
    // Not -json: `go vet -json`, which scripts run too, answers 0 whatever it finds.
    GOFLAGS: '-v',
  };
}

/** As Node and pytest both read it. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
