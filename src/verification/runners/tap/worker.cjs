'use strict';
// For the workers of a test runner, which run the tests: watches the assertion functions and leaves no trace of
// itself.
const { randomUUID } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

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
function watchWorker({ folder, runner, testSide, library }, ports) {
  const watch = require('./watch-assertions.cjs').watchAssertions({ testSide });
  const results = runner === 'vitest' ? require('./vitest/results-watch.cjs').watchResults() : undefined;
  const sending = [];
  let reported = false;
  let begun = false;
  let given;
  const look = (atEnd = false) => {
    if (reported) return;
    if (library !== undefined && !begun) rememberAva(watch, library);
    begun = true;
    // Jasmine defines `expect` when it starts, and sends messages before it loads the first spec.
    if (runner === 'jasmine') given ??= globalThis.expect;
    const expect = globalThis[Symbol.for('expect-global')];
    if (expect !== undefined) watch.rememberExpect(expect);
    const message =
      watch.findReplaced() ??
      findOtherSender() ??
      results?.findChanged(watch) ??
      (given === undefined ? undefined : watch.judgeVariable('expect', given, globalThis.expect)) ??
      (atEnd && runner !== 'vitest' ? watch.findDisarmed() : undefined);
    if (message === undefined) return;
    reported = true;
    // Trusted without a seal, since it can only harm its writer.
    writeFileSync(
      join(folder, `${randomUUID()}.fault`),
      JSON.stringify({ code: 'assertions-replaced', message }),
      { flag: 'wx' },
    );
  };
  function findOtherSender() {
    for (const { label, holder, name, ours } of sending) {
      const found = watch.judgeVariable(label, ours, holder[name]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [label, holder, name] of [
    ['process.send', process, 'send'],
    ['MessagePort.prototype.postMessage', ports, 'postMessage'],
  ]) {
    if (typeof holder?.[name] !== 'function') continue;
    lookBefore(holder, name, look);
    sending.push({ label, holder, name, ours: holder[name] });
  }
  require('./at-exit.cjs').atExit(() => look(true));
}

/** AVA has loaded these classes before it sends its first message, and loads the tests later. */
function rememberAva(watch, library) {
  for (const name of ['test', 'runner']) {
    import(pathToFileURL(join(library, `${name}.js`)).href).then(
      (loaded) => watch.remember(`ava.${name}`, loaded.default.prototype),
      // Safe: other versions of AVA have other files, and are watched less.
      () => {},
    );
  }
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
