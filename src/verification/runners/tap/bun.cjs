'use strict';
// Loaded first into every Bun process of a test command. `bun test` has no other way to load a tap; its results come
// from its JUnit report. This hides our variables from its tests and tries assertions that must fail after them.
const { randomUUID } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { hideVariables } = require('./tap-variables.cjs');
const { WRONG, WRONG_EXPECTATIONS } = require('./wrong-assertions.cjs');

let own = {};
try {
  const runner = require('bun:test');
  // Throws outside the test runner, such as in a script that starts it: its children need our variables.
  runner.afterAll(() => probe(runner));
  own = hideVariables();
} catch {
  // Safe: a declared report still counts without the tap.
}
leaveNoModules();
// Bun keeps this file only after it has run.
queueMicrotask(leaveNoModules);
for (let at = process.execArgv.length - 1; at >= 0; at -= 1) {
  if (process.execArgv[at] === `--preload=${__filename}`) process.execArgv.splice(at, 1);
}

function leaveNoModules() {
  for (const path of Object.keys(require.cache)) if (path.startsWith(__dirname)) delete require.cache[path];
}

function probe(runner) {
  const tries = [
    ...[runner.expect, globalThis.expect].flatMap((expect) =>
      typeof expect === 'function'
        ? Object.entries(WRONG_EXPECTATIONS).map(([name, attempt]) => [
            `expect.${name}`,
            () => attempt(expect),
          ])
        : [],
    ),
    ...[require('node:assert'), require('node:assert').strict].flatMap((assert) =>
      Object.entries(WRONG).map(([name, attempt]) => [`assert.${name}`, () => attempt(assert[name])]),
    ),
  ];
  const disarmed = tries.find(([, attempt]) => passes(attempt));
  if (disarmed === undefined) return;
  const message = `${disarmed[0]} passes with a wrong value: it was replaced while the tests ran`;
  // Trusted without a seal, since it can only harm its writer.
  writeFileSync(
    join(own.REPORTS, `${randomUUID()}.fault`),
    JSON.stringify({ code: 'assertions-replaced', message }),
    { flag: 'wx' },
  );
}

function passes(attempt) {
  try {
    attempt();
    return true;
  } catch {
    // Safe: it still fails.
    return false;
  }
}
