'use strict';
// `jasmine --parallel=N`: the main process distributes spec files to workers, which send it their results.
const { resolve } = require('node:path');
const { reportOf } = require('./report.cjs');

const WORKER = /[\\/]node_modules[\\/]jasmine[\\/]bin[\\/]worker\.js$/;
const LONGEST = 4000;

const isParallel = () => process.argv.some((arg) => arg.startsWith('--parallel='));

/** `specDone(result)` turns a result of jasmine into one of ours, without its file and suites. */
function parallelModules({ seal, select }, specDone) {
  if (!isParallel()) return [];
  return [
    [
      /[\\/]node_modules[\\/]jasmine[\\/]lib[\\/]parallel_runner\.js$/,
      ({ prototype }) => record(prototype, { seal, select, specDone }),
    ],
  ];
}

function record(prototype, { seal, select, specDone }) {
  const tests = [];
  const faults = [];
  /** By worker: the file that it runs, and the suites around the current spec. */
  const workers = new Map();
  const { runSpecFiles_, runWorker_, handleReporterEvent_, reportJasmineDone_ } = prototype;
  prototype.runSpecFiles_ = function runSelected() {
    seal.busy();
    if (select !== undefined)
      this.specFiles = this.specFiles.filter((file) => select.includes(resolve(file)));
    return Reflect.apply(runSpecFiles_, this, []);
  };
  prototype.runWorker_ = function runWorker(worker) {
    const { send } = worker;
    worker.send = function sendMessage(message, ...rest) {
      if (message?.type === 'runSpecFile')
        workers.set(String(worker.id), { file: resolve(message.filePath), suites: [] });
      return Reflect.apply(send, this, [message, ...rest]);
    };
    return Reflect.apply(runWorker_, this, [worker]);
  };
  prototype.handleReporterEvent_ = function handleEvent(name, payload) {
    // Ids start with that of the worker.
    const worker = workers.get(String(payload.id).split('-')[0]) ?? { file: '', suites: [] };
    if (name === 'suiteStarted') worker.suites.push(payload.description);
    if (name === 'specDone') {
      const { description, ...result } = specDone(payload);
      tests.push({ ...result, file: worker.file, path: [...worker.suites, description] });
    }
    if (name === 'suiteDone') {
      worker.suites.pop();
      addFaults(payload, worker.file);
    }
    return Reflect.apply(handleReporterEvent_, this, [name, payload]);
  };
  prototype.reportJasmineDone_ = async function reportDone() {
    const done = await Reflect.apply(reportJasmineDone_, this, []);
    addFaults(done);
    const report = reportOf('jasmine', tests, faults);
    seal.give(() => report);
    return done;
  };
  function addFaults({ failedExpectations = [] }, file) {
    for (const { message } of failedExpectations)
      faults.push({ file, message: String(message).slice(0, LONGEST) });
  }
}

module.exports = { isParallel, parallelModules, WORKER };
