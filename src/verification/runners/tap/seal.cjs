'use strict';
// The record of a test runner's main process for GuardKit, sealed with a key that this process took, and removed,
// before any project code ran. Tests run later and never see it.
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
  // Not when a runner starts: libraries restore what they found on load.
  atExit((exitCode) => {
    if (key === undefined) return;
    const facts = { runner, exitCode, ...(idle ? { idle } : {}), faults };
    writeRecord(folder, key, facts, given?.() ?? '');
  });
  return {
    /** Takes a key and commits to a record at exit. `mayStayIdle`: the runner was only loaded and may never run. */
    start(name, { mayStayIdle = false } = {}) {
      if (started) return;
      started = true;
      runner = name;
      idle = mayStayIdle;
      key = takeKey(folder);
    },
    /** The runner has started. */
    busy() {
      idle = false;
    },
    /** `report` creates the report's text; the last of several counts, since it is that of the last rerun. */
    give(report) {
      given = report;
    },
    fault(fault) {
      faults.push(fault);
    },
  };
}

/** Takes the key and leaves a digest of it for the next runner; the taken key cannot be derived from that. */
function takeKey(folder) {
  const path = join(folder, 'key');
  const mine = `${path}.${randomUUID()}`;
  // It is missing for a moment while another runner changes it.
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
    // Safe: without a key there is no record, and the key file shows that something is wrong.
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
    // Safe: a key without a record is reported, and nothing here may change the runner's result.
  }
}

/** The test files that the run is limited to; undefined for all. */
function readSelection(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'select'), 'utf8'));
  } catch {
    // Safe: without a selection the whole suite runs.
    return undefined;
  }
}

module.exports = { openSeal, readSelection };
