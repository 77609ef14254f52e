'use strict';
const { resolve } = require('node:path');
const { watchAssertions } = require('../watch-assertions.cjs');
const { isParallel, parallelModules, WORKER } = require('./jasmine-parallel.cjs');
const { reportOf } = require('./report.cjs');

const STATUSES = { passed: 'passed', failed: 'failed', pending: 'skipped', excluded: 'skipped' };
const LONGEST = 4000;

function jasmineModules({ seal, select, watch: early, become }) {
  return [
    [
      /[\\/]node_modules[\\/]jasmine[\\/]lib[\\/]jasmine\.js$/,
      ({ prototype }) => {
        become('jasmine', isParallel() ? WORKER : undefined);
        seal.start('jasmine', { mayStayIdle: true });
        const { execute, loadSpecs } = prototype;
        prototype.loadSpecs = function loadSelected(...args) {
          if (select !== undefined)
            this.specFiles = this.specFiles.filter((file) => select.includes(resolve(file)));
          return Reflect.apply(loadSpecs, this, args);
        };
        prototype.execute = function executeSpecs(...args) {
          seal.busy();
          listen(this, seal, early ?? watchAssertions());
          return Reflect.apply(execute, this, args);
        };
      },
    ],
    ...parallelModules({ seal, select }, resultOf),
  ];
}

function resultOf({ description, status, failedExpectations = [] }) {
  return {
    description,
    status: STATUSES[status] ?? status,
    message: failedExpectations[0] && String(failedExpectations[0].message).slice(0, LONGEST),
  };
}

function listen({ env, loader }, seal, watch) {
  const { expect } = globalThis;
  const files = loader === undefined ? new Map() : rememberFiles(loader, env);
  const run = env.execute;
  env.execute = function executeWithRecord(...args) {
    // Helpers may have replaced all reporters.
    env.addReporter(recorder(files, (report) => seal.give(report), findReplaced));
    return Reflect.apply(run, this, args);
  };
  function findReplaced() {
    const message =
      watch.findReplaced() ??
      watch.judgeVariable('expect', expect, globalThis.expect) ??
      watch.findDisarmed({ onlyLoaded: true });
    if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
  }
}

/** By the id of each spec: the file that was loaded when it came. */
function rememberFiles(loader, env) {
  const files = new Map();
  const { load } = loader;
  loader.load = async function loadFile(path, ...rest) {
    const loaded = await Reflect.apply(load, this, [path, ...rest]);
    for (const id of specsIn(env.topSuite())) if (!files.has(id)) files.set(id, resolve(path));
    return loaded;
  };
  return files;
}

function specsIn({ id, children }) {
  return children === undefined ? [id] : children.flatMap(specsIn);
}

function recorder(files, give, findReplaced) {
  const tests = [];
  const faults = [];
  const suites = [];
  const addFaults = ({ failedExpectations = [], filename }) => {
    for (const { message } of failedExpectations)
      faults.push({ file: filename, message: String(message).slice(0, LONGEST) });
  };
  return {
    suiteStarted: ({ description }) => void suites.push(description),
    suiteDone(result) {
      suites.pop();
      addFaults(result);
    },
    specDone(given) {
      const { description, ...result } = resultOf(given);
      const file = files.get(given.id) ?? given.filename ?? '';
      tests.push({ ...result, file, path: [...suites, description] });
    },
    jasmineDone(result) {
      addFaults(result ?? {});
      findReplaced();
      const report = reportOf('jasmine', tests, faults);
      give(() => report);
    },
  };
}

module.exports = { jasmineModules };
