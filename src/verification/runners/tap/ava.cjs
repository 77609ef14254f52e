'use strict';
// AVA runs each file in its own thread or process, which sends every result to the main process.
const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');
const { join, relative, sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const { addArguments } = require('./arguments.cjs');
const { changeChildren } = require('./child-processes.cjs');
const { startedScript } = require('./started-script.cjs');
const { forWorker } = require('./tap-variables.cjs');
const { changeThreads } = require('./threads.cjs');

const WORKER = /[\\/]node_modules[\\/]ava[\\/]lib[\\/]worker[\\/]/;
/** AVA's own files and its argument parser. */
const COMMAND = /[\\/]node_modules[\\/](?:ava|yargs)[\\/]/;
const WITH_VALUE = /^(?:-[mcT]|--(?:match|concurrency|config|node-arguments|timeout))$/;
const QUESTIONS = ['--help', '--version', 'debug', 'reset-cache'];
const LONGEST = 4000;

function tapAva({ own, seal, select }) {
  if (process.argv.slice(2).some((arg) => QUESTIONS.includes(arg))) return;
  // It may find none of the selected files.
  seal.start('ava', { mayStayIdle: select !== undefined });
  if (select !== undefined) limitFiles(select);
  // Otherwise its main process records missing snapshots; workers remove the option again.
  process.env.CI ??= '1';
  const files = new Map();
  seal.give(() => (files.size === 0 ? '' : reportOf(files)));
  const worker = { runner: 'ava', folder: own.REPORTS, library: libraryOf(startedScript()) };
  changeThreads(WORKER, own, worker, (thread, options) => {
    seal.busy();
    listen(thread, () => options.workerData.options.file, files);
  });
  const { fork } = childProcess;
  childProcess.fork = function forkWorker(path, ...rest) {
    const child = Reflect.apply(fork, this, [path, ...rest]);
    if (!WORKER.test(String(path))) return child;
    seal.busy();
    listenToProcess(child, files);
    return child;
  };
  syncBuiltinESMExports();
  changeChildren((pairs, { args }) =>
    args.some((arg) => WORKER.test(arg)) ? forWorker(own, pairs, worker) : pairs,
  );
}

/** Only this process's command line gets the files, and only AVA sees it: tests run in others. */
function limitFiles(select) {
  const args = process.argv.slice(2);
  const choosesFiles = args.some((arg, at) => !arg.startsWith('-') && !WITH_VALUE.test(args[at - 1] ?? ''));
  const files = select.map((file) => relative(process.cwd(), file));
  const isPlain = (file) =>
    /^[\w.@/ -]+$/.test(file) && !file.startsWith(`..${sep}`) && !file.startsWith('-');
  // Further patterns would add files, and a pattern's characters would mean others.
  if (choosesFiles || !files.every(isPlain)) return;
  addArguments(files, COMMAND);
}

/** The folder with AVA's classes; the command is beside it, or in a folder beside it since version 4. */
function libraryOf(script) {
  return join(script, script.endsWith('.mjs') ? '../..' : '..', 'lib');
}

function listenToProcess(child, files) {
  let file;
  const { send } = child;
  child.send = function sendToWorker(message, ...rest) {
    file ??= message?.ava?.options?.file;
    return Reflect.apply(send, this, [message, ...rest]);
  };
  listen(child, () => file, files);
}

function listen(worker, fileOf, files) {
  const results = () => {
    const file = pathOf(fileOf());
    if (!files.has(file)) files.set(file, { tests: new Map(), faults: [] });
    return files.get(file);
  };
  worker.on('message', (message) => {
    if (message?.ava) keep(message.ava, results());
  });
  worker.on('exit', (code) => {
    if (code) results().faults.push(`The worker exited with code ${code}.`);
  });
}

function keep({ type, title, skip, todo, err }, { tests, faults }) {
  if (type === 'selected-test') tests.set(title, { status: todo ? 'todo' : skip ? 'skipped' : 'unfinished' });
  else if (type === 'test-passed') tests.set(title, { status: 'passed' });
  else if (type === 'test-failed') tests.set(title, { status: 'failed', message: messageOf(err) });
  else if (FAULTS.has(type)) faults.push([title, messageOf(err)].filter(Boolean).join(': ') || type);
}

const FAULTS = new Set([
  'hook-failed',
  'internal-error',
  'missing-ava-import',
  'uncaught-exception',
  'unhandled-rejection',
]);

function reportOf(files) {
  const faults = [];
  const testResults = [...files].map(([file, found]) => {
    faults.push(...found.faults.map((message) => ({ file, message })));
    const assertionResults = [...found.tests].map(([title, { status, message }]) => ({
      ancestorTitles: [],
      title,
      status,
      failureMessages: message === undefined ? [] : [message],
    }));
    return { name: file, status: 'passed', message: '', assertionResults };
  });
  return JSON.stringify({ runner: 'ava', testResults, faults });
}

function pathOf(file) {
  return String(file).startsWith('file:') ? fileURLToPath(file) : String(file);
}

function messageOf(error) {
  if (error === undefined) return '';
  const { message, originalError, name, assertion } = error;
  const words = message || originalError?.message || [name, assertion].filter(Boolean).join(' ');
  return String(words).slice(0, LONGEST);
}

module.exports = { tapAva };
