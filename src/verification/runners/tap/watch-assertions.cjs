'use strict';
// Finds assertion functions that were replaced while tests ran. Nothing is frozen: test files and their libraries may
// install other functions, as long as these still fail on wrong values.
const assert = require('node:assert');
const { relative, sep } = require('node:path');
const { locationOf, locationsOf } = require('./function-location.cjs');
const { holdersOfLibraries } = require('./in-process/loaded-libraries.cjs');
const { WRONG, WRONG_EXPECTATIONS, WRONG_METHODS } = require('./wrong-assertions.cjs');

const TEST_FOLDER =
  /(?:^|\/)(?:__)?(?:tests?|specs?|mocks|fixtures|e2e|testing|test-(?:utils?|helpers?|setup))(?:__)?\//i;
const TEST_FILE =
  /(?:[.\-_](?:test|tests|spec|specs|cy|e2e|setup|config)|(?:^|\/)(?:test|spec|setup|setup-?tests?|test-?(?:setup|helpers?|utils?)))\.[cm]?[jt]sx?$/i;

/** Assertion libraries compare values with these functions of the language; `Object.is` decides `toBe`. */
const BUILT_IN = ['Object', 'Array', 'Number', 'String', 'RegExp', 'Map', 'Set', 'Function', 'Reflect'];

const RUNNERS_OWN = /^(?:mocha|vitest|jasmine|tape|ava|process|MessagePort|EventEmitter)\./;

const WRONG_FOR_CHAI = [
  ({ expect }) => expect(1).to.equal(2),
  ({ expect }) => expect({ a: 1 }).to.deep.equal({ a: 2 }),
  ({ expect }) => expect([1]).to.include(2),
  ({ expect }) => expect(false).to.be.true,
  ({ expect }) => expect(() => {}).to.throw(),
  ({ assert: chaiAssert }) => chaiAssert.equal(1, 2),
  ({ assert: chaiAssert }) => chaiAssert.strictEqual(1, 2),
  ({ assert: chaiAssert }) => chaiAssert.deepEqual({ a: 1 }, { a: 2 }),
  ({ assert: chaiAssert }) => chaiAssert.ok(false),
];

/** `testSide`: paths of further files named in the runner's configuration, such as set-up files. */
function watchAssertions({ testSide = [] } = {}) {
  const root = process.cwd();
  const known = [];
  const named = new Set(testSide);
  remember('assert', assert, WRONG);
  remember('assert.strict', assert.strict, WRONG);
  rememberBuiltIn(globalThis);
  const always = known.length;

  /** Those of a realm. */
  function rememberBuiltIn(global) {
    for (const name of BUILT_IN) {
      const holder = global?.[name];
      if (holder === undefined) continue;
      remember(name, holder);
      if (holder.prototype !== undefined) remember(`${name}.prototype`, holder.prototype);
    }
  }

  function remember(label, holder, probes = {}, wrap = (f) => f) {
    if (known.some((one) => one.holder === holder)) return;
    const functions = new Map();
    for (const [name, shape] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      const value = shape.value ?? shape.get;
      // The original, and the last one that was accepted in its place.
      if (typeof value === 'function') functions.set(name, [value, value]);
    }
    known.push({ label, holder, functions, probes, wrap });
  }

  return {
    /** The current matchers of `expect` in this realm. */
    rememberExpect(expect, global = globalThis) {
      const matchers = global[Symbol.for('$$jest-matchers-object')]?.matchers;
      if (matchers) remember('expect', matchers, WRONG_EXPECTATIONS, () => expect);
      try {
        // For chai in vitest: the result of `expect(…)` inherits all of its methods.
        const prototype = Object.getPrototypeOf(expect(undefined));
        if (prototype && prototype !== Object.prototype)
          remember('expect()', prototype, WRONG_METHODS, () => expect);
      } catch {
        // Safe: the matchers of an `expect` that cannot be called now were remembered above.
      }
    },
    remember,
    rememberBuiltIn,
    isProduct,
    placeOf,
    addTestSide(paths) {
      for (const path of paths) named.add(path);
    },
    /** Forgets the realm of a test file that ended. */
    forget() {
      known.length = always;
    },
    /** A variable that was replaced with another function, such as a global `expect`. */
    judgeVariable(name, original, now) {
      return now === undefined || now === original ? undefined : judge(name, now);
    },
    /** Libraries come with the project, so there is nothing to compare them with; they are examined afterwards. */
    findDisarmed({ onlyLoaded = false } = {}) {
      return this.findDisarmedChai(onlyLoaded) ?? this.findOwnFunctions(holdersOfLibraries());
    },
    findDisarmedChai(onlyLoaded) {
      const chai = loadChai(root, onlyLoaded);
      if (chai === undefined) return undefined;
      const passing = WRONG_FOR_CHAI.find((probe) => !throws(() => probe(chai)));
      if (passing !== undefined) return 'The assertion functions of chai no longer fail on wrong values.';
      return this.findOwnFunctions([
        ['chai.Assertion.prototype', chai.Assertion.prototype],
        ['chai.assert', chai.assert],
      ]);
    },
    /** Functions of the product among those of objects whose originals are unknown. */
    findOwnFunctions(holders) {
      const all = holders.flatMap(([label, holder, belongs = () => true]) =>
        Object.keys(Object.getOwnPropertyDescriptors(holder))
          .map((name) => ({ label, name, value: functionOf(holder, name), belongs }))
          .filter(({ value }) => typeof value === 'function'),
      );
      const paths = locationsOf(all.map(({ value }) => value));
      const foreign = all.findIndex(
        ({ name, belongs }, at) => paths[at] !== undefined && isProduct(paths[at]) && belongs(name),
      );
      return foreign === -1 ? undefined : replacedMessage(all[foreign].label, placeOf(paths[foreign]));
    },
    /** The reason why the results cannot be trusted, or undefined. */
    findReplaced() {
      for (const { label, holder, functions, probes, wrap } of known) {
        for (const [name, [original, last]] of functions) {
          const now = functionOf(holder, name);
          if (now === last || now === original) continue;
          const problem = judge(`${label}.${name}`, now, probes[name], wrap(now));
          if (problem !== undefined) return problem;
          functions.set(name, [original, now]);
        }
      }
      return undefined;
    },
  };

  function judge(what, now, probe, asked) {
    const path = typeof now === 'function' ? locationOf(now) : undefined;
    // Loaders put native functions around those of the language.
    if (path === undefined) return isBuiltIn(what) ? undefined : replacedMessage(what);
    if (isProduct(path)) return replacedMessage(what, placeOf(path));
    return probe === undefined || throws(() => probe(asked)) ? undefined : replacedMessage(what);
  }

  function placeOf(path) {
    return relative(root, path).split(sep).join('/');
  }

  function isProduct(path) {
    const place = placeOf(path);
    return (
      !/(?:^|\/)node_modules\//.test(place) &&
      !path.startsWith(__dirname) &&
      !named.has(path) &&
      !TEST_FOLDER.test(place) &&
      !TEST_FILE.test(place)
    );
  }
}

function isBuiltIn(what) {
  return BUILT_IN.includes(what.split('.')[0]);
}

function replacedMessage(what, place) {
  const by = place === undefined ? '' : ` by a function of ${place}`;
  const words = isBuiltIn(what)
    ? `${what}, which assertions use,`
    : `The ${RUNNERS_OWN.test(what) ? 'function of the test runner' : 'assertion function'} ${what}`;
  return `${words} was replaced${by} during the tests.`;
}

function functionOf(holder, name) {
  const shape = Object.getOwnPropertyDescriptor(holder, name);
  return shape?.value ?? shape?.get;
}

/** Chai as loaded by the tests; with ES modules that is unknown, and it is loaded now. */
function loadChai(root, onlyLoaded) {
  const loaded = Object.entries(require.cache).find(([path]) =>
    /[\\/]node_modules[\\/]chai[\\/]lib[\\/]chai\.js$/.test(path),
  );
  if (loaded !== undefined) return loaded[1].exports;
  if (onlyLoaded || !process.features.require_module) return undefined;
  const { emitWarning } = process;
  // Loading an ES module like this prints an experimental warning.
  process.emitWarning = () => {};
  try {
    const path = require.resolve('chai', { paths: [root] });
    return /[\\/]node_modules[\\/]chai[\\/](?:chai|index)\.js$/.test(path) ? require(path) : undefined;
  } catch {
    // Safe: tests without chai cannot have disarmed it.
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function throws(call) {
  try {
    call();
    return false;
  } catch {
    // Safe: throwing is the expected answer.
    return true;
  }
}

module.exports = { watchAssertions };
