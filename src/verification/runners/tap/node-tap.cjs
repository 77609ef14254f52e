'use strict';
// node-tap runs each file in its own process, which writes TAP to the runner.
const { existsSync } = require('node:fs');
const { resolve } = require('node:path');
const childProcess = require('node:child_process');
const { changeChildren } = require('./child-processes.cjs');
const { forWorker, handOn } = require('./tap-variables.cjs');

const QUESTIONS = [
  '--help',
  '-h',
  '--version',
  '-v',
  'versions',
  'dump-config',
  'config',
  'list',
  'plugin',
  'build',
  'repl',
  'report',
];

function tapNodeTap({ own, seal, select }) {
  if (process.argv.slice(2).some((arg) => QUESTIONS.includes(arg))) return;
  // With coverage, versions before 18 start themselves again, through nyc, and that one runs the tests.
  seal.start('tap', { mayStayIdle: true });
  const documents = [];
  seal.give(() =>
    documents.length === 0 ? '' : JSON.stringify({ runner: 'tap', documents: documents.map(textOf) }),
  );
  const isTest = ({ args }) => fileOf(args) !== undefined;
  changeChildren((pairs, child) =>
    isTest(child) ? forWorker(own, pairs, { runner: 'tap', folder: own.REPORTS }) : handOn(own, pairs),
  );
  const { prototype } = childProcess.ChildProcess;
  const { spawn } = prototype;
  prototype.spawn = function spawnTest(options) {
    const file = fileOf(options?.args ?? []);
    if (select !== undefined && file !== undefined && !select.includes(file) && isPiped(options))
      return Reflect.apply(spawn, this, [{ ...options, ...NO_TESTS }]);
    const answer = Reflect.apply(spawn, this, [options]);
    if (file !== undefined && this.stdout) {
      seal.busy();
      documents.push({ file, child: this, chunks: observe(this.stdout) });
    }
    return answer;
  };
}

/** Runs in place of a file that is not selected; the runner then counts no tests in it. */
const NO_TESTS = { file: '/bin/sh', args: ['sh', '-c', 'echo 1..0'] };

/** The runner reads tests; it does not read scripts that run before and after them. */
function isPiped({ stdio }) {
  const output = Array.isArray(stdio) ? stdio[1] : stdio;
  return output === undefined || output === null || output === 'pipe';
}

/** For coverage, versions before 18 start nyc, which starts them again with the same arguments. */
const STARTS_AGAIN = /[\\/]node_modules[\\/](?:nyc[\\/]bin|tap[\\/]bin|\.bin)[\\/]/;

/** The file that a child of the runner runs: the last argument before the file's own that is a project file. */
function fileOf(args) {
  if (args.some((word) => STARTS_AGAIN.test(word))) return undefined;
  const words = args
    .slice(1)
    .filter((word) => /\.[cm]?[jt]sx?$/.test(word) && !/[\\/]node_modules[\\/]/.test(word));
  const path = words.map((word) => resolve(word)).find((word) => existsSync(word));
  return path;
}

/** Observes the stream without consuming it. */
function observe(stream) {
  const chunks = [];
  const { emit } = stream;
  stream.emit = function emitChunk(name, ...rest) {
    if (name === 'data') chunks.push(Buffer.from(rest[0]));
    return Reflect.apply(emit, this, [name, ...rest]);
  };
  return chunks;
}

function textOf({ file, child, chunks }) {
  return { file, exit: child.exitCode, text: Buffer.concat(chunks).toString('utf8') };
}

module.exports = { tapNodeTap };
