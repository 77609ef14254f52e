'use strict';
// What a test runner's own main process leaves for GuardKit: one record, sealed with a key that this process took,
// and removed, before any code of the project ran. Tests run later and never see it.
const { createHash, createHmac, randomUUID } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { delimiter, join } = require('node:path');

let given;
let started = false;

/** Takes a key and promises a record at the exit of this process. False where GuardKit did not start this. */
function start(runner) {
  const folder = process.env.GUARDKIT_REPORTS;
  if (started || !folder) return started;
  started = true;
  const key = takeKey(folder);
  leaveNoTrace();
  process.on('exit', (exitCode) => {
    if (key !== undefined) writeRecord(folder, key, { runner, exitCode, report: given?.() ?? '' });
  });
  return true;
}

/** What makes the report's text; of several, the last one counts, since it is the one of the last rerun. */
function give(report) {
  given = report;
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

/** What the tests start is not this run: their processes must find nothing of it. */
function leaveNoTrace() {
  stripOptions(process.env.GUARDKIT_TAP_REPORTERS);
  stripOptions(process.env.GUARDKIT_TAP_OPTIONS);
  const folders = (process.env.PATH ?? '').split(delimiter);
  process.env.PATH = folders.filter((folder) => folder !== join(__dirname, 'bin')).join(delimiter);
  const own = ['REPORTS', 'TAP_OPTIONS', 'TAP_REPORTER', 'TAP_REPORTERS'];
  for (const name of own) delete process.env[`GUARDKIT_${name}`];
}

function stripOptions(options) {
  const all = process.env.NODE_OPTIONS;
  if (all === undefined || !options || !all.includes(options)) return;
  const rest = all.replace(options, () => '').trim();
  if (rest === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = rest;
}

function writeRecord(folder, key, { runner, exitCode, report }) {
  const signed = `${JSON.stringify({ runner, exitCode })}\n${report}`;
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

module.exports = { start, give, stripOptions };
