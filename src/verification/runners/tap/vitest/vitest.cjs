'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { addArguments } = require('../arguments.cjs');
const { changeChildren } = require('../child-processes.cjs');
const { offer } = require('../handover.cjs');
const { startedScript } = require('../started-script.cjs');
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
    `--reporter=${reporter()}`,
  ];
  const showAll = addArguments(added, VITEST);
  offer({ seal, select, restore: !chosen, begin: showAll });
  const worker = { runner: 'vitest', folder: own.REPORTS };
  changeThreads(WORKER, own, worker);
  changeChildren((pairs, { args: words }) =>
    words.some((word) => WORKER.test(word)) ? forWorker(own, pairs, worker) : pairs,
  );
}

/** Vitest 3 loads a file through vite, which may refuse one outside the project; node itself loads a data URL. */
function reporter() {
  const file = join(__dirname, 'vitest-reporter.mjs');
  if (majorVersion() >= 4) return file;
  const code = `export { default } from ${JSON.stringify(pathToFileURL(file).href)};`;
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}

function majorVersion() {
  try {
    const [folder] = /^.*[\\/]node_modules[\\/]vitest[\\/]/.exec(startedScript());
    const manifest = join(folder, 'package.json');
    return Number.parseInt(JSON.parse(readFileSync(manifest, 'utf8')).version, 10);
  } catch {
    // Safe: a vitest that starts in another way gets the file, as every version accepts.
    return 4;
  }
}

module.exports = { tapVitest };
