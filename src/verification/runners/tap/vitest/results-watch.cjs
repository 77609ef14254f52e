'use strict';
// The results of a vitest worker are in its state, which code under test can reach.
const { isProxy } = require('node:util').types;

/** Finds product code that changes results, or how they are sent. */
function watchResults() {
  let trusted;
  let problem;
  const seen = new WeakSet();
  return {
    findChanged(watch) {
      const state = globalThis.__vitest_worker__;
      if (state !== undefined && !seen.has(state)) {
        seen.add(state);
        watchTests(state, (what) => {
          problem ??= `The result of a test was changed during the tests: ${what}.`;
        });
      }
      return problem ?? findOtherRpc(watch, state?.rpc);
    },
  };

  /** The first one is from before any code under test was loaded. */
  function findOtherRpc(watch, rpc) {
    trusted ??= rpc;
    if (rpc === undefined || rpc === trusted) return undefined;
    const found = watch.judgeVariable('vitest.rpc', undefined, rpc.onTaskUpdate);
    if (found === undefined) trusted = rpc;
    return found;
  }
}

/** Looks at each test when it starts and when vitest turns to another. */
function watchTests(state, report) {
  let { current } = state;
  let start;
  Object.defineProperty(state, 'current', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(test) {
      if (current !== test && current?.type !== 'suite' && start !== undefined) {
        const what = changedIn(current, start);
        if (what !== undefined) report(what);
      }
      if (test !== undefined && current !== test) start = { fails: test.fails };
      current = test;
    },
  });
}

function changedIn(test, start) {
  if (test === undefined) return undefined;
  if (test.fails !== start.fails) return 'it was marked as known to fail';
  if (!isPlain(test, 'result')) return 'it has another result';
  const { result } = test;
  if (result === undefined) return undefined;
  if (!isPlain(result, 'state') || !isPlain(result, 'errors')) return 'it has another state';
  const { errors } = result;
  return errors === undefined || (Array.isArray(errors) && !Object.hasOwn(errors, 'push'))
    ? undefined
    : 'it keeps no errors';
}

function isPlain(holder, name) {
  const shape = Object.getOwnPropertyDescriptor(holder, name);
  return shape === undefined || (Object.hasOwn(shape, 'value') && shape.writable && !isProxy(shape.value));
}

module.exports = { watchResults };
