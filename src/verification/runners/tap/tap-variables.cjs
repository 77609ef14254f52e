'use strict';
// The variables with which a test command's processes find the tap. Code under test must not see them, so every Node
// process removes them from its environment at once; processes that only start test runners pass them on to children.
const { delimiter } = require('node:path');

const NAMES = [
  'REPORTS',
  'TAP_OPTIONS',
  'TAP_REPORTER',
  'TAP_REPORTERS',
  'TAP_UNDO',
  'TAP_PATH',
  'TAP_NODE',
  // Set for everything that a test script starts.
  'TAP_BELOW_TEST',
];
/** For a single process. */
const ONCE = ['TAP_ADDED', 'TAP_WORKER'];

/** Removes our variables from `process.env` and returns their values. */
function hideVariables() {
  const own = {};
  for (const name of [...NAMES, ...ONCE]) {
    const variable = `GUARDKIT_${name}`;
    if (process.env[variable] !== undefined) own[name] = process.env[variable];
    delete process.env[variable];
  }
  // Longest first: one is a part of the other.
  for (const options of [own.TAP_REPORTERS, own.TAP_OPTIONS]) stripOptions(options);
  if (process.env.PATH !== undefined) {
    const folders = process.env.PATH.split(delimiter).filter((folder) => !foldersOf(own).includes(folder));
    process.env.PATH = folders.join(delimiter);
  }
  for (const [name, [ours, theirs]] of Object.entries(undoOf(own))) {
    if (process.env[name] !== ours) continue;
    if (theirs === null) delete process.env[name];
    else process.env[name] = theirs;
  }
  return own;
}

function undoOf(own) {
  return own.TAP_UNDO === undefined ? {} : JSON.parse(own.TAP_UNDO);
}

/** The folders of our program shims. */
function foldersOf(own) {
  return (own.TAP_PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Leaves the previous content, including blanks. */
function stripOptions(options) {
  const all = process.env.NODE_OPTIONS;
  if (all === undefined || !options || !all.includes(options)) return;
  const added = [`${options} `, ` ${options}`, options].find((part) => all.includes(part));
  const rest = all.replace(added, () => '');
  if (rest.trim() === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = rest;
}

/** All variables, for a child that may be a test runner or start one. */
function handOn(own, pairs, { plainNode = false } = {}) {
  const added = new Map(pairs.map(split));
  for (const name of NAMES) if (own[name] !== undefined) added.set(`GUARDKIT_${name}`, own[name]);
  for (const [name, [ours, theirs]] of Object.entries(undoOf(own))) {
    if ((added.get(name) ?? null) === theirs) added.set(name, ours);
  }
  const path = added.get('PATH');
  if (path !== undefined) {
    const missing = foldersOf(own).filter((folder) => !path.split(delimiter).includes(folder));
    added.set('PATH', [...missing, path].join(delimiter));
  }
  addOptions(added, own, plainNode ? own.TAP_REPORTERS : undefined);
  return toPairs(added);
}

/** The variables for a runner's own worker, which removes them before anything else runs. */
function forWorker(own, pairs, worker) {
  const added = new Map(pairs.map(split));
  added.set('GUARDKIT_TAP_WORKER', JSON.stringify(worker));
  added.set('GUARDKIT_TAP_OPTIONS', own.TAP_OPTIONS);
  added.set('GUARDKIT_TAP_UNDO', own.TAP_UNDO);
  addOptions(added, own);
  return toPairs(added);
}

function addOptions(added, own, more) {
  const now = added.get('NODE_OPTIONS') ?? '';
  if (now.includes(own.TAP_OPTIONS)) return;
  const parts = [own.TAP_OPTIONS, now, more].filter((part) => part !== undefined && part !== '');
  added.set('NODE_OPTIONS', parts.join(' '));
}

function split(pair) {
  const end = pair.indexOf('=', 1);
  return end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}

function toPairs(variables) {
  return [...variables].map(([name, value]) => `${name}=${value}`);
}

module.exports = { hideVariables, handOn, forWorker };
