'use strict';
// What a test runner's own main process leaves for GuardKit: one record, sealed with a key that this process took,
// and removed, before any code of the project ran. Tests run later and never see it.
const { createHmac, randomUUID } = require('node:crypto');
const { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } = require('node:fs');
const { delimiter, join } = require('node:path');

let given;
let started = false;

/** Takes a key and promises a record at the exit of this process. False where GuardKit did not start this. */
function start(runner) {
  const folder = process.env.GUARDKIT_REPORTS;
  if (started || !folder) return started;
  started = true;
  const key = takeKey(join(folder, 'keys'));
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

function takeKey(folder) {
  for (const id of readKeys(folder)) {
    try {
      const secret = readFileSync(join(folder, id), 'utf8');
      unlinkSync(join(folder, id));
      return { id, secret };
    } catch {
      // Safe: another runner of the same command was quicker; the next key is as good.
    }
  }
  return undefined;
}

function readKeys(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What the tests start is not this run: their processes must find nothing of it. */
function leaveNoTrace() {
  stripOptions(process.env.GUARDKIT_TAP_REPORTERS);
  stripOptions(process.env.GUARDKIT_TAP_OPTIONS);
  const folders = (process.env.PATH ?? '').split(delimiter);
  process.env.PATH = folders.filter((folder) => folder !== join(__dirname, 'bin')).join(delimiter);
  for (const name of ['GUARDKIT_REPORTS', 'GUARDKIT_TAP_OPTIONS', 'GUARDKIT_TAP_REPORTERS']) {
    delete process.env[name];
  }
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
    writeFileSync(`${path}.tmp`, `${JSON.stringify({ guardkit: 'record', key: key.id, mac })}\n${signed}`, {
      flag: 'wx',
    });
    renameSync(`${path}.tmp`, `${path}.record`);
  } catch {
    // Safe: a key without its record is found missing, and nothing here may change what the runner answers.
  }
}

module.exports = { start, give, stripOptions };
