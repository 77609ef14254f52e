'use strict';
// For the workers of a test runner, which run the tests: watches the assertion functions and leaves no trace of
// itself.
const { randomUUID } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** For a process that a runner's main process started. */
function tapWorker() {
  const own = require('./tap-variables.cjs').hideVariables();
  watch(JSON.parse(own.TAP_WORKER));
}

/** For a thread; most threads belong to the project itself or to tools. */
function tapThread() {
  const { getEnvironmentData, MessagePort } = require('node:worker_threads');
  const given = require('./tap-variables.cjs').hideVariables().TAP_WORKER;
  const worker = given ? JSON.parse(given) : getEnvironmentData(require('./worker-data.cjs').WORKER_DATA);
  if (worker !== undefined) watch(worker, MessagePort.prototype);
}

function watch(worker, ports) {
  if (worker.runner === 'jest') {
    require('./module-hook.cjs').onModules(require('./jest.cjs').jestRunnerModules());
  } else watchWorker(worker, ports);
}

/** Checks whenever something is sent to the main process, as test results are. */
function watchWorker({ folder, runner, testSide }, ports) {
  const watch = require('./watch-assertions.cjs').watchAssertions({ testSide });
  const channel = channelWatch();
  let reported = false;
  let given;
  const look = (atEnd = false) => {
    if (reported) return;
    // Jasmine defines `expect` when it starts, and sends messages before it loads the first spec.
    if (runner === 'jasmine') given ??= globalThis.expect;
    const expect = globalThis[Symbol.for('expect-global')];
    if (expect !== undefined) watch.rememberExpect(expect);
    const message =
      watch.findReplaced() ??
      channel.findForeign(watch) ??
      (given === undefined ? undefined : watch.judgeVariable('expect', given, globalThis.expect)) ??
      (atEnd && runner !== 'vitest' ? watch.findDisarmedChai() : undefined);
    if (message === undefined) return;
    reported = true;
    // Trusted without a seal, since it can only harm its writer.
    writeFileSync(
      join(folder, `${randomUUID()}.fault`),
      JSON.stringify({ code: 'assertions-replaced', message }),
      { flag: 'wx' },
    );
  };
  for (const [label, holder, name] of [
    ['process.send', process, 'send'],
    ['MessagePort.prototype.postMessage', ports, 'postMessage'],
  ]) {
    if (typeof holder?.[name] !== 'function') continue;
    lookBefore(holder, name, look);
    channel.add(label, holder, name);
  }
  require('./at-exit.cjs').atExit(() => look(true));
}

/** A function that passes on results, if it is of the product. */
function channelWatch() {
  const wrapped = [];
  let trusted;
  return {
    add(label, holder, name) {
      wrapped.push({ label, holder, name, ours: holder[name] });
    },
    findForeign(watch) {
      for (const { label, holder, name, ours } of wrapped) {
        const problem = watch.judgeVariable(label, ours, holder[name]);
        if (problem !== undefined) return problem;
      }
      // The first one is from before any code under test was loaded.
      const rpc = globalThis.__vitest_worker__?.rpc;
      trusted ??= rpc;
      if (rpc === undefined || rpc === trusted) return undefined;
      const problem = watch.judgeVariable('vitest.rpc', undefined, rpc.onTaskUpdate);
      if (problem === undefined) trusted = rpc;
      return problem;
    },
  };
}

function lookBefore(holder, name, look) {
  const original = holder[name];
  holder[name] = {
    [name](...args) {
      try {
        look();
      } catch {
        // Safe: the tests continue unchanged, and the next check finds it.
      }
      return Reflect.apply(original, this, args);
    },
  }[name];
}

module.exports = { tapWorker, tapThread };
