'use strict';
// Runs `go test` for a test command, requests events, and prints what go test would have printed.
const { createInterface } = require('node:readline');
const { GoOutput } = require('./go-output.cjs');
const { selectPackages } = require('./go-selection.cjs');
const { runProgram, takeOver } = require('../run-program.cjs');
const { openSeal } = require('../seal.cjs');

/** With these, go test runs no tests. */
const QUESTIONS = /^--?(?:c|n|list(?:=.*)?|h|help)$/;
const VERBOSE = /^--?(?:test\.)?(?:v(?:=(?:true|1|t|test2json))?|bench(?:=.*)?|fuzz(?:=.*)?)$/;
const JSON_WANTED = /^--?json(?:=(?:true|1|t))?$/;

const { real, args, folder } = takeOver();
const end = args.findIndex((arg) => arg === '-args' || arg === '--args');
const flags = end === -1 ? args : args.slice(0, end);
if (flags.some((arg) => QUESTIONS.test(arg))) runProgram(real, args, 'inherit');
else record();

function record() {
  const seal = openSeal(folder);
  seal.start('go test');
  const asked = flags.some((arg) => JSON_WANTED.test(arg));
  const selected = selectPackages(real, args, folder);
  const at = selected.indexOf('test') + 1;
  const output = new GoOutput({ raw: asked, verbose: flags.some((arg) => VERBOSE.test(arg)) });
  seal.give(() => output.report());
  const withEvents = asked ? selected : [...selected.slice(0, at), '-json', ...selected.slice(at)];
  const child = runProgram(real, withEvents, ['inherit', 'pipe', 'pipe']);
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
    const shown = output.read(line);
    if (shown !== '') process.stdout.write(shown);
  });
  child.stderr.on('data', (bytes) => process.stderr.write(bytes));
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => output.readError(line));
}
