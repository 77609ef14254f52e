'use strict';

const LIBRARY = /\/node_modules\/uvu\/dist\/index\.mjs$/;

/** A module in place of uvu's own: the same functions, replaced by the tap if there is one. */
function shimOf(url) {
  const source = `import { channel } from 'node:diagnostics_channel';
import * as library from ${JSON.stringify(`${url}?library`)};
const question = {};
channel('guardkit:uvu').publish(question);
export const { exec, suite, test } = question.value === undefined ? library : question.value(library);
`;
  return { format: 'module', source, shortCircuit: true };
}

module.exports = { LIBRARY, shimOf };
