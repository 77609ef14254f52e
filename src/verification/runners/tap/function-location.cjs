'use strict';
const { fileURLToPath } = require('node:url');

const HANDLE = Symbol('functions');
const GROUP = 'functions';
const FIND = `globalThis[Object.getOwnPropertySymbols(globalThis).find((key) => key.description === 'functions')]`;

/** The path of the file that defines a function; undefined for a native one. */
function locationOf(value) {
  return locationsOf([value])[0];
}

/** Slow, so only for the rare case. */
function locationsOf(values) {
  if (values.length === 0) return [];
  const { session, scripts } = openDebugger();
  globalThis[HANDLE] = values;
  try {
    return values.map((_value, index) => {
      const objectId = objectOf(session, `${FIND}[${index}]`);
      return objectId === undefined ? undefined : pathOf(scripts.get(scriptOf(session, objectId)));
    });
  } finally {
    delete globalThis[HANDLE];
    session.post('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  }
}

let opened;

/** Stays open: once a debugger is closed, V8 forgets which parts of a function ran, and coverage would be wrong. */
function openDebugger() {
  if (opened !== undefined) return opened;
  const { Session } = require('node:inspector');
  const session = new Session();
  const scripts = new Map();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.post('Debugger.enable');
  opened = { session, scripts };
  return opened;
}

function objectOf(session, expression) {
  let found;
  session.post('Runtime.evaluate', { expression, objectGroup: GROUP }, (_error, answer) => {
    found = answer?.result?.objectId;
  });
  return found;
}

function scriptOf(session, objectId) {
  let found;
  session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_error, answer) => {
    const inner = (name) => answer?.internalProperties?.find((one) => one.name === name)?.value;
    const target = inner('[[Target]]') ?? inner('[[TargetFunction]]');
    found = inner('[[FunctionLocation]]')?.value?.scriptId;
    // Chai wraps its functions in proxies.
    if (found === undefined && target?.objectId) found = scriptOf(session, target.objectId);
  });
  return found;
}

function pathOf(url) {
  if (url === undefined || url === '' || url.startsWith('node:')) return undefined;
  return (url.startsWith('file:') ? fileURLToPath(url) : url).replace(/[?#].*$/, '');
}

module.exports = { locationOf, locationsOf };
