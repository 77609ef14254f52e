'use strict';
// A process without a runner-specific tap: a package manager, a script that starts tests, or a test file that is run
// by itself. Until it loads a test library, its children may be test runners.
const { randomUUID } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { fileURLToPath } = require('node:url');
const { atExit } = require('./at-exit.cjs');
const { changeChildren } = require('./child-processes.cjs');
const { offer } = require('./handover.cjs');
const { onModules } = require('./module-hook.cjs');
const { watchAssertions } = require('./watch-assertions.cjs');
const { forWorker, handOn } = require('./tap-variables.cjs');

const TAPE = /[\\/]node_modules[\\/](?:\.bin|tape[\\/]bin)[\\/]tape$/;

function tapAny({ own, seal, select }) {
  let workers;
  const endChildren = changeChildren((pairs, child) => {
    if (workers === undefined && usesNodeTest()) return pairs;
    if (workers === undefined) {
      const below = watch !== undefined && !watch.isProduct(mainFile()) ? { TAP_BELOW_TEST: '1' } : {};
      return handOn({ ...own, ...below }, pairs, { plainNode: isPlainNode(child) });
    }
    return child.args.some((word) => workers.pattern.test(word))
      ? forWorker(own, pairs, workers.worker)
      : pairs;
  });
  // Tools are not tests, and start faster without it. Before version 5, tape's command loads tests before tape.
  const isTool = /[\\/]node_modules[\\/]/.test(process.argv[1] ?? '') && !TAPE.test(process.argv[1]);
  const watch = isTool ? undefined : watchAssertions();
  const context = {
    seal,
    select,
    watch,
    /** From here on only the runner's own workers matter, not other children. */
    become(runner, ownWorkers) {
      if (ownWorkers === undefined) endChildren();
      workers = { pattern: ownWorkers, worker: { runner, folder: own.REPORTS } };
    },
  };
  const start = seal.start;
  seal.start = (runner, options) => {
    start(runner, options);
    if (workers === undefined) context.become(runner);
  };
  if (watch !== undefined && own.TAP_BELOW_TEST === undefined)
    atExit((exitCode) => {
      if (workers === undefined && !usesNodeTest() && isPlainTest(watch))
        reportPlainTest(watch, own.REPORTS, exitCode);
    });
  offer(watch === undefined ? seal : watched(seal, watch));
  onModules(
    require('./jest.cjs').jestModules(context),
    require('./in-process/jasmine.cjs').jasmineModules(context),
    require('./in-process/lab.cjs').labModules(context),
    require('./in-process/mocha.cjs').mochaModules(context),
    require('./in-process/tape.cjs').tapeModules(context),
    require('./in-process/uvu.cjs').uvuModules(context),
  );
}

/** The started file; the argument may be a folder. */
function mainFile() {
  return process.mainModule?.filename ?? process.argv[1] ?? '';
}

/** Whether the started file asserts something; programs that tests start may end as they like. */
function isPlainTest(watch) {
  const file = mainFile();
  if (
    watch.isProduct(file) ||
    /(?:^|\/)(?:fixtures?|support|helpers?|mocks?|data)\//i.test(watch.placeOf(file))
  )
    return false;
  try {
    return /\bassert\b|\bexpect\s?\(|\bshould\b/.test(readFileSync(file, 'utf8'));
  } catch {
    // Safe: without a file there is no test script.
    return false;
  }
}

/** A test file that is run by itself, without a runner: only its exit code counts, unless product code decided it. */
function reportPlainTest(watch, folder, exitCode) {
  const replaced = watch.findReplaced() ?? watch.findDisarmed({ onlyLoaded: true });
  const place = exitCode ? undefined : placeOfExit();
  const message =
    replaced ??
    (place !== undefined && watch.isProduct(place)
      ? `${relative(process.cwd(), place)} ended the process of the tests.`
      : undefined);
  if (message === undefined) return;
  // Trusted without a seal, since it can only harm its writer.
  writeFileSync(
    join(folder, `${randomUUID()}.fault`),
    JSON.stringify({ ...(replaced === undefined ? {} : { code: 'assertions-replaced' }), message }),
    { flag: 'wx' },
  );
}

/** The file that called `process.exit`, which is still on the stack. */
function placeOfExit() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const lines = String(new Error('for its stack').stack).split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const at = lines.findIndex((line) => /\bprocess\.(?:exit|reallyExit)\b/.test(line));
  const place =
    at === -1 ? undefined : /\(?((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/.exec(lines[at + 1] ?? '')?.[1];
  return place?.startsWith('file:') ? fileURLToPath(place) : place;
}

/** For node:test, which loads its reporter when the first test is created. */
function watched(seal, watch) {
  return {
    ...seal,
    give(report) {
      seal.give(() => {
        const message = watch.findReplaced() ?? watch.findDisarmed();
        if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
        return report();
      });
    },
  };
}

/** Its reporter starts only after the first test. */
function usesNodeTest() {
  return process.moduleLoadList?.includes('NativeModule internal/test_runner/harness') === true;
}

function isPlainNode({ file, args }) {
  return file === process.execPath && !args.some((arg) => /^--test(?:-|$)/.test(arg));
}

module.exports = { tapAny };
