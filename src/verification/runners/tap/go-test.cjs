'use strict';
// Runs `go test` in the place of a test command, asks it for events, and prints what it would have printed. What it
// starts sees nothing of us.
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const { GoOutput } = require('./go-output.cjs');
const { openSeal } = require('./seal.cjs');
const { hideSurroundings } = require('./surroundings.cjs');

/** With these, go test runs no tests. */
const QUESTIONS = /^--?(?:c|n|list(?:=.*)?|h|help)$/;
const VERBOSE = /^--?(?:test\.)?(?:v(?:=(?:true|1|t|test2json))?|bench(?:=.*)?|fuzz(?:=.*)?)$/;
const JSON_WANTED = /^--?json(?:=(?:true|1|t))?$/;

const [real, ...given] = process.argv.slice(2);
const kept = process.env.GUARDKIT_TAP_KEPT;
delete process.env.GUARDKIT_TAP_KEPT;
if (kept) process.env.NODE_OPTIONS = kept;
const own = hideSurroundings();

const end = given.findIndex((arg) => arg === '-args' || arg === '--args');
const flags = end === -1 ? given : given.slice(0, end);
if (flags.some((arg) => QUESTIONS.test(arg))) run(given, { stdio: 'inherit' });
else record();

function record() {
  // Go goes on when nobody reads any more, so that its results are still recorded.
  process.stdout.on('error', () => {});
  const seal = openSeal(own.REPORTS);
  seal.start('go test');
  const asked = flags.some((arg) => JSON_WANTED.test(arg));
  const at = given.indexOf('test') + 1;
  const output = new GoOutput({ raw: asked, verbose: flags.some((arg) => VERBOSE.test(arg)) });
  seal.give(() => output.report());
  const args = asked ? given : [...given.slice(0, at), '-json', ...given.slice(at)];
  const child = run(args, { stdio: ['inherit', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
    const shown = output.read(line);
    if (shown !== '') process.stdout.write(shown);
  });
  child.stderr.on('data', (bytes) => process.stderr.write(bytes));
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => output.readError(line));
}

function run(args, options) {
  const child = spawn(real, args, options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`go: ${error.message}\n`);
    process.exitCode = 127;
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return child;
}
