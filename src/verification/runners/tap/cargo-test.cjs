'use strict';
// Runs `cargo test` for a test command. Cargo names test binaries on one stream, they print to the other; the record
// has both.
const { runProgram, takeOver } = require('./run-program.cjs');
const { openSeal } = require('./seal.cjs');

/** With these, cargo runs no tests. */
const QUESTIONS = new Set(['--no-run', '--help', '-h', '--list']);
const MOST_BYTES = 64 * 1024 * 1024;

const { real, args, folder } = takeOver();
if (args.some((arg) => QUESTIONS.has(arg))) runProgram(real, args, 'inherit');
else record();

function record() {
  const seal = openSeal(folder);
  seal.start('cargo test');
  const child = runProgram(real, args, ['inherit', 'pipe', 'pipe']);
  const errors = keep(child.stderr, process.stderr);
  const output = keep(child.stdout, process.stdout);
  seal.give(() => ['cargo test', errors(), output()].join('\n'));
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
