'use strict';
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { changeChildren } = require('./child-processes.cjs');
const { offer } = require('./handover.cjs');
const { forWorker, handOn } = require('./tap-variables.cjs');

/** For the main process of `node --test`, which runs each file in its own process. */
function tapNodeTest({ own, seal, select }, added) {
  if (added === undefined) restart(own);
  seal.start('node:test');
  offer(seal);
  if (select !== undefined) selectFiles(select);
  changeChildren((pairs) =>
    pairs.some((pair) => pair.startsWith('NODE_TEST_CONTEXT='))
      ? forWorker(own, pairs, { runner: 'node:test', folder: own.REPORTS })
      : pairs,
  );
}

/**
 * node:test fixes its reporters at startup, so it is restarted with ours added, unless the Node shim already added
 * ours.
 */
function restart(own) {
  const { execArgv } = process;
  const has = (option) => execArgv.some((arg) => arg === option || arg.startsWith(`${option}=`));
  const ours = [`--test-reporter=${nodeReporter()}`, '--test-reporter-destination=stderr'];
  if (!has('--test-reporter')) ours.push('--test-reporter=spec');
  // One reporter needs no destination, two need one each.
  if (!has('--test-reporter-destination')) ours.push('--test-reporter-destination=stdout');
  const pairs = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
  const env = Object.fromEntries(
    handOn(own, pairs).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const { status, signal } = spawnSync(process.execPath, [...ours, ...execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...env, GUARDKIT_TAP_ADDED: String(ours.length) },
    argv0: process.argv0,
  });
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

function nodeReporter() {
  return `${pathToFileURL(__dirname).href}/node-reporter.mjs`;
}

/** Node's default patterns for test files. */
const USUAL =
  /(?:^|[\\/])(?:[^\\/]*[.\-_]test|test-[^\\/]*|test)\.[cm]?[jt]s$|(?:^|[\\/])test[\\/].*\.[cm]?[jt]s$/;

/** The files are arguments of this process only, which runs no tests itself. */
function selectFiles(select) {
  if (process.execArgv.some((arg) => /^--(?:experimental-)?test-isolation/.test(arg))) return;
  const named = process.argv.slice(1);
  if (named.some((name) => PATTERN.test(name)) && path.matchesGlob === undefined) return;
  const within = select.filter((file) => {
    const place = path.relative(process.cwd(), file);
    if (place.startsWith(`..${path.sep}`) || place.split(path.sep).includes('node_modules')) return false;
    if (named.length === 0) return USUAL.test(place);
    return named.some((name) => isNamed(place, name));
  });
  if (within.length > 0) process.argv.splice(1, process.argv.length, ...within);
}

const PATTERN = /[*?[\]{}!+@]/;

/** Whether an argument of `node --test`, a path or a pattern, includes the file. */
function isNamed(place, name) {
  const wanted = path.relative('', name);
  if (place === wanted || place.startsWith(`${wanted}${path.sep}`)) return true;
  return PATTERN.test(name) && quietly(() => path.matchesGlob(place, wanted));
}

/** Node 22 warns about the function that it uses itself. */
function quietly(run) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}

module.exports = { tapNodeTest };
