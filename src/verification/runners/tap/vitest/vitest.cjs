'use strict';
const { join } = require('node:path');
const { addArguments } = require('../arguments.cjs');
const { changeChildren } = require('../child-processes.cjs');
const { offer } = require('../handover.cjs');
const { forWorker } = require('../tap-variables.cjs');
const { changeThreads } = require('../threads.cjs');

const OTHER_COMMANDS = ['bench', 'init', 'list'];
const QUESTIONS = ['--help', '-h', '--version', '-v', '--mergeReports', '--merge-reports'];
/** Vitest's own files, and its argument parser. */
const VITEST = /[\\/]node_modules[\\/](?:vitest|cac)[\\/]/;
const WORKER = /[\\/]node_modules[\\/](?:vitest|tinypool)[\\/]/;

function tapVitest({ own, seal, select }) {
  const args = process.argv.slice(2);
  if (OTHER_COMMANDS.includes(args.find((arg) => !arg.startsWith('-')))) return;
  if (args.some((arg) => QUESTIONS.includes(arg))) return;
  seal.start('vitest');
  const chosen = args.some((arg) => /^--reporters?(?:=|$)/.test(arg));
  const added = [
    // Without it a watching command would never end; given twice, it is an error.
    ...(args.some((arg) => /^--run(?:=|$)/.test(arg)) ? [] : ['--run']),
    ...(chosen ? [] : ['--reporter=default']),
    `--reporter=${join(__dirname, 'vitest-reporter.mjs')}`,
  ];
  const showAll = addArguments(added, VITEST);
  offer({ seal, select, restore: !chosen, begin: showAll });
  const worker = { runner: 'vitest', folder: own.REPORTS };
  changeThreads(WORKER, own, worker);
  changeChildren((pairs, { args: words }) =>
    words.some((word) => WORKER.test(word)) ? forWorker(own, pairs, worker) : pairs,
  );
}

module.exports = { tapVitest };
