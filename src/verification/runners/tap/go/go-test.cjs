'use strict';
// Runs `go test` for a test command, requests events, and prints what go test would have printed.
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const { GoOutput } = require('./go-output.cjs');
const { selectPackages } = require('./go-selection.cjs');
const { runProgram, takeOver } = require('../run-program.cjs');
const { openSeal } = require('../seal.cjs');

/** With these, go test runs no tests. */
const QUESTIONS = /^--?(?:c|n|list(?:=.*)?|h|help)$/;
const VERBOSE = /^--?(?:test\.)?(?:v(?:=(?:true|1|t|test2json))?|bench(?:=.*)?|fuzz(?:=.*)?)$/;
const JSON_WANTED = /^--?json(?:=(?:true|1|t))?$/;
const CUT = ': too many errors';

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
  let isCut = false;
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', (line) => {
    isCut ||= line.includes('"build-output"') && line.includes(CUT);
    const shown = output.read(line);
    if (shown !== '') process.stdout.write(shown);
  });
  child.stderr.on('data', (bytes) => process.stderr.write(bytes));
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => {
    isCut ||= line.endsWith(CUT);
    output.readError(line);
  });
  child.on('close', () => {
    if (isCut) readAllErrors(real, selected, at, output);
  });
}

/** The compiler stops after ten errors of a package: this reads the others, and runs no tests. */
function readAllErrors(real, args, at, output) {
  const all = ['-gcflags=-e', '-exec=true', '-vet=off'];
  const child = spawn(real, [...args.slice(0, at), ...all, ...args.slice(at)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => output.readError(line));
  // Safe: the first errors are known.
  child.on('error', () => {});
}
