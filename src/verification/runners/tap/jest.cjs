'use strict';
const { join } = require('node:path');
const { setEnvironmentData } = require('node:worker_threads');
const { watchAssertions } = require('./watch-assertions.cjs');
const { offer } = require('./handover.cjs');
const { WORKER_DATA } = require('./worker-data.cjs');

const CLI = /[\\/]node_modules[\\/](?:jest|jest-cli)[\\/]bin[\\/]jest(?:\.js)?$/;
const QUESTIONS = [
  '--help',
  '-h',
  '--version',
  '-v',
  '--init',
  '--listTests',
  '--showConfig',
  '--clearCache',
];
/** The paths in jest-circus up to 29 and since 30, and in its predecessor. */
const RUNNER =
  /[\\/]node_modules[\\/](?:jest-circus[\\/]build[\\/](?:legacy-code-todo-rewrite[\\/]jestAdapter|runner)|jest-jasmine2[\\/]build[\\/]index)\.js$/;
const WORKER = /[\\/]node_modules[\\/]jest-worker[\\/]/;

/** Modules of jest to patch on load, in its main process. */
function jestModules(context) {
  return [
    [/[\\/]node_modules[\\/]jest-config[\\/]build[\\/]index\.js$/, (config) => tapConfig(config, context)],
    ...jestRunnerModules(),
  ];
}

/** The module that runs a test file, in the main process or in a worker. */
function jestRunnerModules() {
  return [[RUNNER, checkedRunner]];
}

function tapConfig(config, { seal, select, become }) {
  const byItself = CLI.test(process.argv[1] ?? '') || /[\\/]\.bin[\\/]jest$/.test(process.argv[1] ?? '');
  if (byItself && process.argv.slice(2).some((arg) => QUESTIONS.includes(arg))) return undefined;
  become('jest', WORKER);
  setEnvironmentData(WORKER_DATA, { runner: 'jest' });
  seal.start('jest', { mayStayIdle: true });
  const { readConfigs } = config;
  const tapped = (read, argv) => {
    seal.busy();
    const { globalConfig } = read;
    if (globalConfig.listTests) return read;
    const watches = globalConfig.watch || globalConfig.watchAll;
    // If it is told to watch, jest never sets its exit code.
    if (watches) Object.assign(argv, { watch: false, watchAll: false });
    offer({ seal, next: globalConfig.testResultsProcessor });
    return {
      ...read,
      globalConfig: Object.freeze({
        ...globalConfig,
        testResultsProcessor: join(__dirname, 'jest-processor.cjs'),
        // Nobody changes files or presses keys here. Scripts that look for CI to find that out do not see it.
        ...(watches ? { watch: false, watchAll: false, onlyChanged: false } : {}),
        // A missing snapshot fails, as in CI: a newly written one would match anything.
        ...(globalConfig.updateSnapshot === 'new' ? { ci: true, updateSnapshot: 'none' } : {}),
        // Nobody reads the coverage of a limited run.
        ...(select === undefined ? {} : { passWithNoTests: true, collectCoverage: false }),
      }),
      configs: select === undefined ? read.configs : read.configs.map((one) => limited(one, select)),
    };
  };
  return withReplaced(config, 'readConfigs', (...args) => {
    const read = readConfigs(...args);
    // A promise only since jest 27.
    return typeof read.then === 'function' ? read.then((one) => tapped(one, args[0])) : tapped(read, args[0]);
  });
}

/** Jest skips a file that matches any of these patterns. */
function limited(config, select) {
  const wanted = select.map((file) => file.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return Object.freeze({
    ...config,
    testPathIgnorePatterns: [...config.testPathIgnorePatterns, `^(?!(?:${wanted || '(?!)'})$)`],
  });
}

/** Runs a file as usual and fails it if an assertion function was replaced meanwhile. */
function checkedRunner(runner) {
  const run = typeof runner === 'function' ? runner : runner.default;
  if (typeof run !== 'function') return undefined;
  const watch = watchAssertions();
  const checked = async (...args) => {
    const [, config, environment] = args;
    watch.forget();
    watch.addTestSide([...(config.setupFiles ?? []), ...(config.setupFilesAfterEnv ?? [])]);
    watch.rememberBuiltIn(environment.global);
    const made = listen(environment, watch);
    const result = await run(...args);
    const message =
      watch.findReplaced() ??
      watch.judgeVariable('expect', made.expect, environment.global?.expect) ??
      (made.expect === undefined ? findInJasmine(watch, environment.global) : hiddenFailure(made, result));
    if (message === undefined || result.testExecError) return result;
    return {
      ...result,
      failureMessage: message,
      testExecError: { code: 'assertions-replaced', message, stack: message },
    };
  };
  return typeof runner === 'function' ? checked : withReplaced(runner, 'default', checked);
}

/** `expect` is recreated for each file, before its set-up files are loaded. */
function listen(environment, watch) {
  const made = { expect: undefined, failed: new Set(), ended: 0 };
  const { handleTestEvent } = environment;
  environment.handleTestEvent = function handle(event, state) {
    const expect = event.runtimeGlobals?.expect;
    if (event.name === 'setup' && expect) {
      made.expect = expect;
      watch.rememberExpect(expect, environment.global);
    }
    countFailure(made, event);
    return handleTestEvent && Reflect.apply(handleTestEvent, this, [event, state]);
  };
  return made;
}

/** The environment gets the events of each test; the results come from a state that code under test can reach. */
function countFailure(made, { name, test }) {
  if (test === undefined) return;
  if (name === 'test_start' || name === 'test_retry') made.failed.delete(test);
  // A test that is known to fail passes like this.
  else if (name === 'test_fn_failure' && !test.failing) made.failed.add(test);
  else if (name === 'test_done') made.ended += 1;
}

/** The runner before jest-circus, which creates its functions for each file. */
function findInJasmine(watch, { jasmine } = {}) {
  const holders = [
    ['jasmine.Spec.prototype', jasmine?.Spec?.prototype],
    ['jasmine.Suite.prototype', jasmine?.Suite?.prototype],
    ['jasmine.getEnv()', jasmine?.getEnv?.()],
  ];
  return watch.findOwnFunctions(holders.filter(([, holder]) => holder !== undefined));
}

function hiddenFailure({ failed, ended }, result) {
  if (!Array.isArray(result?.testResults)) return undefined;
  const count = (status) => result.testResults.filter((test) => test.status === status).length;
  return failed.size > count('failed') || count('passed') > ended
    ? 'Tests that failed were reported as passed.'
    : undefined;
}

/** Getter exports cannot be assigned. */
function withReplaced(exports, name, value) {
  return Object.create(exports, {
    [name]: { value, enumerable: true },
    __esModule: { value: exports.__esModule },
  });
}

module.exports = { jestModules, jestRunnerModules };
