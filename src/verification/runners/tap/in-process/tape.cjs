'use strict';
const { EventEmitter } = require('node:events');
const { watchAssertions } = require('../watch-assertions.cjs');
const { callingFiles, isSelected } = require('./calling-files.cjs');
const { reportOf } = require('./report.cjs');

const LONGEST = 4000;

function tapeModules({ seal, select, watch: early, become }) {
  return [
    [
      /[\\/]node_modules[\\/]tape[\\/]lib[\\/]test\.js$/,
      (Test) => {
        become('tape');
        seal.start('tape', { mayStayIdle: true });
        const watch = early ?? watchAssertions();
        watch.remember('tape.Test.prototype', Test.prototype);
        watch.remember('EventEmitter.prototype', EventEmitter.prototype);
        const tests = [];
        seal.give(() => {
          const message = watch.findReplaced() ?? watch.findDisarmed({ onlyLoaded: true });
          if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
          return tests.length === 0 ? '' : recordOf(tests);
        });
        const { skip } = Test;
        // Such a test is created and never reported again.
        Test.skip = function skipTest(...args) {
          const test = Reflect.apply(skip, this, args);
          const files = callingFiles();
          if (test?.on && isSelected(files, select)) follow(test, tests, files[0]);
          return test;
        };
        return new Proxy(Test, {
          construct(target, args, newTarget) {
            const test = Reflect.construct(target, args, newTarget);
            const files = callingFiles();
            if (isSelected(files, select)) {
              seal.busy();
              follow(test, tests, files[0]);
            } else test._skip = true;
            return test;
          },
        });
      },
    ],
  ];
}

const parents = new WeakMap();

function follow(test, tests, file) {
  const kept = {
    test,
    file,
    ended: false,
    failures: [],
    results: 0,
    children: 0,
  };
  tests.push(kept);
  test.on('test', (child) => {
    kept.children += 1;
    parents.set(child, test);
    follow(child, tests, file);
  });
  test.on('result', (result) => {
    if (typeof result === 'string') return;
    kept.results += 1;
    if (!result.ok && !result.skip && !result.todo)
      kept.failures.push(String(result.name ?? result.operator).slice(0, LONGEST));
  });
  test.on('end', () => {
    kept.ended = true;
  });
}

function recordOf(tests) {
  // A test that only contains others is their suite.
  const own = tests.filter(({ children, results, ended }) => !(children > 0 && results === 0 && ended));
  return reportOf(
    'tape',
    own.map((test) => ({
      file: test.file,
      path: [...ancestors(test.test), String(test.test.name)],
      status: statusOf(test),
      message: test.failures[0],
    })),
  );
}

function ancestors(test) {
  const names = [];
  for (let parent = parents.get(test); parent !== undefined; parent = parents.get(parent))
    names.unshift(String(parent.name));
  return names;
}

function statusOf({ test, ended, failures }) {
  if (test._todo) return 'todo';
  if (test._skip) return 'skipped';
  if (failures.length > 0) return 'failed';
  return ended ? 'passed' : 'unfinished';
}

module.exports = { tapeModules };
