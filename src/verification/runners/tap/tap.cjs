'use strict';
// Loaded first into every Node process of a test command. In the main process of a test runner it asks for one more
// report; everywhere else it does nothing, and it never says anything.
if (process.env.GUARDKIT_REPORTS && require('node:worker_threads').isMainThread) {
  try {
    tap();
  } catch {
    // Safe: without the tap there is no record, which counts as absent; the project's command must still run.
  }
}

function tap() {
  const { start, stripOptions } = require('./seal.cjs');
  // Reporters are for one process: another may have its own, and Node refuses to start if they do not add up.
  stripOptions(process.env.GUARDKIT_TAP_REPORTERS);
  if (process.execArgv.includes('--test')) {
    if (process.execArgv.includes(`--test-reporter=${nodeReporter()}`)) start('node:test');
    else restart();
    return;
  }
  const runner = runnerOf(process.argv[1] ?? '');
  if (runner === 'vitest') tapVitest(process.argv.slice(2));
  if (runner === 'jest') tapJest(process.argv.slice(2));
}

function runnerOf(script) {
  const program = /(?:^|[\\/])(vitest|jest)(?:\.[cm]?js)?$/.exec(script)?.[1];
  if (program === undefined) return undefined;
  // A project's own script may have the same name; what belongs to the runner lies in its package.
  const inPackage = /[\\/]node_modules[\\/](?:vitest|jest|jest-cli)[\\/]/;
  return inPackage.test(realPath(script)) ? program : undefined;
}

function realPath(path) {
  try {
    return require('node:fs').realpathSync(path);
  } catch {
    // Safe: a path inside an archive (Yarn PnP) is judged as it is written.
    return path;
  }
}

function tapVitest(args) {
  const command = args.find((arg) => !arg.startsWith('-'));
  if (['bench', 'init', 'list'].includes(command)) return;
  if (args.some((arg) => ['--help', '-h', '--version', '-v'].includes(arg))) return;
  if (!require('./seal.cjs').start('vitest')) return;
  const chosen = args.some((arg) => /^--reporters?(?:=|$)/.test(arg));
  const reporter = require('node:path').join(__dirname, 'vitest-reporter.mjs');
  process.argv.splice(2, 0, ...(chosen ? [] : ['--reporter=default']), `--reporter=${reporter}`);
}

function tapJest(args) {
  const questions = [
    '--help',
    '-h',
    '--version',
    '-v',
    '--init',
    '--listTests',
    '--showConfig',
    '--clearCache',
  ];
  if (args.some((arg) => questions.includes(arg))) return;
  if (!require('./seal.cjs').start('jest')) return;
  // A processor comes on top of the reporters that the project chose; a reporter here would take their place.
  process.argv.splice(
    2,
    0,
    `--testResultsProcessor=${require('node:path').join(__dirname, 'jest-processor.cjs')}`,
  );
}

/**
 * Reporters of node:test are fixed when it starts, so it is started once more, with ours beside its own, unless the
 * stand-in for Node put ours there at once.
 */
function restart() {
  const { execArgv } = process;
  const has = (option) => execArgv.some((arg) => arg === option || arg.startsWith(`${option}=`));
  const own = has('--test-reporter') ? [] : ['--test-reporter=spec'];
  // One reporter needs no destination, two need two.
  const destination = has('--test-reporter-destination') ? [] : ['--test-reporter-destination=stdout'];
  const ours = [`--test-reporter=${nodeReporter()}`, '--test-reporter-destination=stderr'];
  const args = [...execArgv, ...own, ...destination, ...ours, ...process.argv.slice(1)];
  const { status, signal } = require('node:child_process').spawnSync(process.execPath, args, {
    stdio: 'inherit',
  });
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

function nodeReporter() {
  return `${require('node:url').pathToFileURL(__dirname).href}/node-reporter.mjs`;
}
