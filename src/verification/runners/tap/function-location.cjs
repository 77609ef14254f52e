'use strict';

const HANDLE = Symbol('function');

/** Where a function was written, as a path; undefined for a native one. Costs a moment, so it is for the rare case. */
function locationOf(value) {
  const { Session } = require('node:inspector');
  const session = new Session();
  const scripts = new Map();
  let found;
  session.connect();
  try {
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
    session.post('Debugger.enable');
    globalThis[HANDLE] = value;
    const expression = `globalThis[Object.getOwnPropertySymbols(globalThis).find((key) => key.description === 'function')]`;
    session.post('Runtime.evaluate', { expression }, (_error, answer) => {
      const objectId = answer?.result?.objectId;
      if (objectId === undefined) return;
      session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_failure, properties) => {
        const place = properties?.internalProperties?.find(({ name }) => name === '[[FunctionLocation]]');
        found = scripts.get(place?.value?.value?.scriptId);
      });
    });
    session.post('Debugger.disable');
  } finally {
    delete globalThis[HANDLE];
    session.disconnect();
  }
  if (found === undefined || found === '' || found.startsWith('node:')) return undefined;
  const path = found.startsWith('file:') ? require('node:url').fileURLToPath(found) : found;
  return path.replace(/[?#].*$/, '');
}

module.exports = { locationOf };
