'use strict';
// What a test runner's own main process leaves for GuardKit: one record, sealed with a key that this process took,
// and removed, before any code of the project ran. Tests run later and never see it.
const { createHash, createHmac, randomUUID } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { atExit } = require('./at-exit.cjs');

/** The record of this process, if it turns out to be a test runner. */
function openSeal(folder) {
  let given;
  let started = false;
  let idle = false;
  let key;
  let runner;
  const faults = [];
  // Now, and not when a runner starts: libraries put back what they found when they were loaded.
  atExit((exitCode) => {
    if (key === undefined) return;
    const facts = { runner, exitCode, ...(idle ? { idle } : {}), faults };
    writeRecord(folder, key, facts, given?.() ?? '');
  });
  return {
    /** Takes a key and promises a record at the exit. `mayStayIdle`: the runner was only loaded, and may never run. */
    start(name, { mayStayIdle = false } = {}) {
      if (started) return;
      started = true;
      runner = name;
      idle = mayStayIdle;
      key = takeKey(folder);
    },
    /** The runner runs. */
    busy() {
      idle = false;
    },
    /** `report` makes the report's text; of several the last one counts, since it is the one of the last rerun. */
    give(report) {
      given = report;
    },
    fault(fault) {
      faults.push(fault);
    },
  };
}

/** Takes the key and leaves a digest of it for the next runner; what was taken cannot be found from that. */
function takeKey(folder) {
  const path = join(folder, 'key');
  const mine = `${path}.${randomUUID()}`;
  // While another runner changes it, which takes no time, it is not there.
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      renameSync(path, mine);
      break;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  try {
    const key = readFileSync(mine, 'utf8');
    writeFileSync(mine, digest('next', key));
    renameSync(mine, path);
    return { name: digest('name', key), secret: digest('seal', key) };
  } catch {
    // Safe: without a key there is no record, and the key file tells that something is wrong.
    return undefined;
  }
}

function digest(purpose, key) {
  return createHash('sha256').update(`${purpose}:${key}`).digest('hex');
}

function writeRecord(folder, key, facts, report) {
  const signed = `${JSON.stringify(facts)}\n${report}`;
  const mac = createHmac('sha256', key.secret).update(signed).digest('hex');
  const path = join(folder, `${process.pid}-${randomUUID()}`);
  try {
    writeFileSync(`${path}.tmp`, `${JSON.stringify({ guardkit: 'record', key: key.name, mac })}\n${signed}`, {
      flag: 'wx',
    });
    renameSync(`${path}.tmp`, `${path}.record`);
  } catch {
    // Safe: a key without its record is found missing, and nothing here may change what the runner answers.
  }
}

/** The test files that the run is limited to, or undefined for all of them. */
function readSelection(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'select'), 'utf8'));
  } catch {
    // Safe: without a selection the whole suite runs.
    return undefined;
  }
}

module.exports = { openSeal, readSelection };
