'use strict';
const { watchAssertions } = require('./watch-assertions.cjs');

const LONGEST = 4000;

function tapeModules({ seal, select, watch: early, become }) {
  return [
    [
      /[\\/]node_modules[\\/]tape[\\/]lib[\\/]test\.js$/,
      (Test) => {
        become('tape');
        seal.start('tape', { mayStayIdle: true });
        const watch = early ?? watchAssertions();
        const tests = [];
        seal.give(() => {
          const message = watch.findReplaced();
          if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
          return tests.length === 0 ? '' : reportOf(tests);
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

/** One process runs all files: tests of the others are created and skipped. */
function isSelected(files, select) {
  return select === undefined || files.some((file) => select.includes(file));
}

/** The file that creates a test and those that called it, as far as the stack shows them. */
function callingFiles() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack } = new Error('for its stack');
  Error.stackTraceLimit = stackTraceLimit;
  const paths = String(stack)
    .split('\n')
    .slice(1)
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]*?):\d+:\d+\)?$/.exec(line)?.[1])
    .filter(
      (path) => path !== undefined && !/[\\/]node_modules[\\/]/.test(path) && !path.startsWith(__dirname),
    );
  return paths.length > 0 ? paths : [process.argv[1]];
}

function reportOf(tests) {
  const files = new Map();
  for (const test of tests) {
    // A test that only contains others is their suite.
    if (test.children > 0 && test.results === 0 && test.ended) continue;
    if (!files.has(test.file)) files.set(test.file, []);
    files.get(test.file).push({
      ancestorTitles: ancestors(test.test),
      title: String(test.test.name),
      status: statusOf(test),
      failureMessages: test.failures.slice(0, 1),
    });
  }
  const testResults = [...files].map(([name, assertionResults]) => ({
    name,
    status: 'passed',
    message: '',
    assertionResults,
  }));
  return JSON.stringify({ runner: 'tape', testResults, faults: [] });
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
