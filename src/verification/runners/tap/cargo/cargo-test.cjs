'use strict';
// Runs `cargo test` for a test command. Cargo names test binaries on one stream, they print to the other; the record
// has both.
const { NO_SUCH_TARGET, selectTargets } = require('./cargo-selection.cjs');
const { runProgram, takeOver } = require('../run-program.cjs');
const { openSeal } = require('../seal.cjs');

/** With these, cargo runs no tests. */
const QUESTIONS = new Set(['--no-run', '--help', '-h', '--list']);
const RUN_ALL = '--no-fail-fast';
const MOST_BYTES = 64 * 1024 * 1024;

const { real, args, folder } = takeOver();
if (args.some((arg) => QUESTIONS.has(arg))) runProgram(real, args, 'inherit');
else record();

function record() {
  const seal = openSeal(folder);
  seal.start('cargo test');
  const limited = selectTargets(real, args, folder);
  let streams = run(limited ?? args);
  if (limited !== undefined)
    streams.child.on('close', () => {
      if (NO_SUCH_TARGET.test(streams.errors())) streams = run(args);
    });
  seal.give(() => ['cargo test', streams.errors(), streams.output()].join('\n'));
}

function run(chosen) {
  const child = runProgram(real, withoutStop(chosen), ['inherit', 'pipe', 'pipe']);
  return { child, errors: keep(child.stderr, process.stderr), output: keep(child.stdout, process.stdout) };
}

/** Cargo stops after the first test binary with a failure: the tests of the others would seem to be missing. */
function withoutStop(args) {
  if (args.includes(RUN_ALL)) return args;
  const end = args.indexOf('--');
  return end === -1 ? [...args, RUN_ALL] : [...args.slice(0, end), RUN_ALL, ...args.slice(end)];
}

/** Passes the stream on and returns its content up to a limit. */
function keep(from, to) {
  const kept = [];
  let size = 0;
  from.on('data', (bytes) => {
    to.write(bytes);
    size += bytes.length;
    if (size <= MOST_BYTES) kept.push(bytes);
  });
  return () => Buffer.concat(kept).toString('utf8');
}
