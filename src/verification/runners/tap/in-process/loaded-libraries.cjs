'use strict';
// Assertion libraries and test runners that the tests loaded with `require`. They come with the project, so there is
// nothing to compare them with; their functions are only looked up.
const { readFileSync } = require('node:fs');

const LIBRARY =
  /^.*[\\/]node_modules[\\/](tape|tap|libtap|@tapjs[\\/][^\\/]+|ava|uvu|jasmine-core|should|expect|expect\.js|must|unexpected|power-assert|sinon|supertest|@hapi[\\/]code|deep-eql)[\\/](?!.*node_modules[\\/])/;
/** Its only instance, since version 18. */
const TAP = Symbol.for('TAP private constructor');
const ASSERTIONS = [
  'ok',
  'notOk',
  'equal',
  'same',
  'strictSame',
  'match',
  'throws',
  'rejects',
  'pass',
  'fail',
];
const MATCHERS = Symbol.for('$$jest-matchers-object');
const MATCHER = /^to(?:Be|Equal|StrictEqual|Match|Contain|Have|Throw|Return)/;

/** Names of objects, the objects, and a function that finds the names that their library uses itself. */
function holdersOfLibraries() {
  const found = [];
  const files = new Map();
  for (const [path, module] of Object.entries(require.cache)) {
    const [start, name] = LIBRARY.exec(path) ?? [];
    if (start === undefined || module === undefined) continue;
    files.set(start, [...(files.get(start) ?? []), path]);
    for (const holder of holdersOf(module.exports))
      found.push([name.replaceAll('\\', '/'), holder, (key) => mentions(files.get(start), key)]);
  }
  for (const holder of partsOfTap(globalThis[TAP])) found.push(['tap', holder]);
  const matchers = globalThis[MATCHERS]?.matchers;
  if (matchers !== undefined) found.push(['expect', matchers, (key) => MATCHER.test(key)]);
  return found;
}

/** The classes of node-tap, and its assertions, which come from plugins. */
function partsOfTap(tap) {
  if (tap === undefined) return [];
  const parts = [Object.fromEntries(ASSERTIONS.map((name) => [name, tap[name]]))];
  let part = Object.getPrototypeOf(tap);
  while (part !== null && part !== Object.prototype) {
    parts.push(part);
    part = Object.getPrototypeOf(part);
  }
  return parts;
}

/** The exports of a module, the objects in them, and the prototypes of the classes among them. */
function holdersOf(exported) {
  if (!isHolder(exported)) return [];
  const inner = Object.values(Object.getOwnPropertyDescriptors(exported)).map(({ value }) => value);
  const all = [exported, ...inner].filter(isHolder);
  const prototypes = all.filter((value) => typeof value === 'function').map(({ prototype }) => prototype);
  const objects = all.filter((value) => value === exported || typeof value === 'object');
  return [...new Set([...objects, ...prototypes.filter(isHolder)])];
}

/** Plugins add functions under names of their own; only those of the library decide about its results. */
function mentions(paths, key) {
  return paths.some((path) => readFileSync(path, 'utf8').includes(key));
}

function isHolder(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

module.exports = { holdersOfLibraries };
