'use strict';
// uvu prints only counts, so its functions are replaced with ones that also record each test. It has two copies, for
// `require` and for `import`, which share one queue of tests.
const { existsSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { offer } = require('../handover.cjs');
const { watchAssertions } = require('../watch-assertions.cjs');
const { callingFiles, isSelected } = require('./calling-files.cjs');
const { messageOf, reportOf } = require('./report.cjs');
const { LIBRARY, shimOf } = require('./uvu-shim.cjs');

const COMMAND = /[\\/]node_modules[\\/](?:\.bin[\\/]uvu|uvu[\\/]bin(?:\.js)?)$/;

/** Each must throw. */
const WRONG = {
  ok: (f) => f(false),
  is: (f) => f(1, 2),
  equal: (f) => f({ a: 1 }, { a: 2 }),
  type: (f) => f(1, 'string'),
  instance: (f) => f(1, Date),
  match: (f) => f('a', /b/),
  snapshot: (f) => f('a', 'b'),
  fixture: (f) => f('a', 'b'),
  throws: (f) => f(() => {}),
  not: (f) => f(true),
  unreachable: (f) => f(),
};

function uvuModules(context) {
  let record;
  let assertions;
  const watchThem = () => {
    if (record !== undefined && assertions !== undefined)
      record.watch.remember('uvu/assert', assertions, WRONG);
  };
  const replaced = (library) => {
    record ??= openRecord(context);
    watchThem();
    return { ...library, ...record.functions(library) };
  };
  const mayRunTests = context.watch !== undefined || COMMAND.test(process.argv[1] ?? '');
  if (mayRunTests && isInstalled(process.cwd())) onImport(replaced);
  return [
    [/[\\/]node_modules[\\/]uvu[\\/]dist[\\/]index\.js$/, replaced],
    [
      /[\\/]node_modules[\\/]uvu[\\/]parse[\\/]index\.js$/,
      // Before 0.4 the module is the function.
      (parse) =>
        typeof parse === 'function' ? limited(parse, context) : { parse: limited(parse.parse, context) },
    ],
    [
      /[\\/]node_modules[\\/]uvu[\\/]assert[\\/]index\.js$/,
      (loaded) => {
        // Other runners' tests use them too.
        assertions = loaded;
        watchThem();
      },
    ],
  ];
}

/** Observing imports slows them down, so it happens only in processes that may use it. */
function isInstalled(folder) {
  if (existsSync(join(folder, 'node_modules', 'uvu'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(parent);
}

function onImport(replaced) {
  offer(replaced, 'guardkit:uvu');
  if (Module.registerHooks !== undefined) {
    Module.registerHooks({
      load: (url, context, next) => (LIBRARY.test(url) ? shimOf(url) : next(url, context)),
    });
  } else Module.register?.(pathToFileURL(join(__dirname, 'uvu-hooks.mjs')).href);
}

/** The command looks for files; the selected ones suffice. */
function limited(parse, { select }) {
  if (select === undefined) return parse;
  return async function parseLimited(...args) {
    const found = await Reflect.apply(parse, this, args);
    return { ...found, suites: found.suites.filter(({ file }) => select.includes(file)) };
  };
}

function openRecord({ seal, select, watch: early, become }) {
  become('uvu');
  seal.start('uvu', { mayStayIdle: true });
  const watch = early ?? watchAssertions();
  const tests = [];
  const faults = [];
  seal.give(() => {
    const message = watch.findReplaced() ?? watch.findDisarmed({ onlyLoaded: true });
    if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
    return tests.length + faults.length === 0 ? '' : reportOf('uvu', tests, faults);
  });

  /** The same function, with each test that it creates recorded. */
  function recording(test, suite) {
    /** Created since the last `run`. */
    let open = [];
    const add = (name, status, { isOnly = false } = {}) => {
      const files = callingFiles();
      if (!isSelected(files, select)) return undefined;
      seal.busy();
      const path = [suite, name].filter((part) => part !== '').map(String);
      const kept = { file: files[0], path: path.length > 0 ? path : [''], status, isOnly };
      open.push(kept);
      tests.push(kept);
      return kept;
    };
    const adding = (create, options) =>
      function createTest(name, handler) {
        const kept = add(name, 'skipped', options);
        if (kept !== undefined) create(name, handled(handler, kept));
      };
    const hooked = (hook) =>
      hook && ((handler) => hook(observed(handler, (error) => faults.push(faultOf(suite, error)))));
    const own = adding(test);
    own.before = Object.assign(hooked(test.before), { each: hooked(test.before.each) });
    own.after = Object.assign(hooked(test.after), { each: hooked(test.after.each) });
    own.only = adding(test.only, { isOnly: true });
    own.skip = (name, ...rest) => {
      if (typeof name === 'string') add(name, 'skipped');
      return test.skip(name, ...rest);
    };
    own.run = (...args) => {
      const chosen = open.some(({ isOnly }) => isOnly) ? open.filter(({ isOnly }) => isOnly) : open;
      for (const kept of chosen) if (kept.runs) kept.status = 'unfinished';
      open = [];
      return test.run(...args);
    };
    return own;
  }

  return {
    watch,
    functions: ({ suite, test }) => ({
      suite: (name = '', ...rest) => recording(suite(name, ...rest), name),
      test: recording(test, ''),
    }),
  };
}

/** The test's body, which also records how it ended. */
function handled(handler, kept) {
  kept.runs = true;
  return async function runTest(...args) {
    try {
      await Reflect.apply(handler, this, args);
      kept.status = 'passed';
    } catch (error) {
      kept.status = 'failed';
      kept.message = messageOf(error);
      throw error;
    }
  };
}

function observed(handler, failed) {
  return async function runHook(...args) {
    try {
      return await Reflect.apply(handler, this, args);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

function faultOf(suite, error) {
  return { message: `A hook${suite === '' ? '' : ` of ${suite}`} failed: ${messageOf(error)}` };
}

module.exports = { uvuModules };
