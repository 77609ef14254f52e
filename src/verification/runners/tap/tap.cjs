'use strict';
// Loaded first into every Node process of a test command. In the main process of a test runner it requests one more
// report; everywhere else it only passes itself on. It never prints anything. Node 24 passes the options of `node
// --test` to its children as arguments.
for (let at = process.execArgv.length - 1; at >= 0; at -= 1) {
  if (process.execArgv[at] === `--require=${__filename}`) process.execArgv.splice(at, 1);
}
try {
  if (!require('node:worker_threads').isMainThread) require('./worker.cjs').tapThread();
  else if (process.env.GUARDKIT_TAP_WORKER) require('./worker.cjs').tapWorker();
  else if (process.env.GUARDKIT_REPORTS) tap();
} catch {
  // Safe: without the tap there is no record, which counts as absent; the project's command must still run.
}
leaveNoModules();

function tap() {
  const own = require('./tap-variables.cjs').hideVariables();
  const { openSeal, readSelection } = require('./seal.cjs');
  const context = { own, seal: openSeal(own.REPORTS), select: readSelection(own.REPORTS) };
  hideArguments(own);
  if (process.execArgv.includes('--test'))
    return require('./node-test.cjs').tapNodeTest(context, own.TAP_ADDED);
  const script = require('./started-script.cjs').startedScript();
  // A limited run only shows which tests pass. A linter takes time and could stop the tests from running.
  if (context.select !== undefined && isLinter(script)) process.exit(0);
  if (/[\\/]node_modules[\\/]vitest[\\/](?:dist[\\/]cli[^\\/]*|[^\\/]+)$/.test(script))
    return require('./vitest/vitest.cjs').tapVitest(context);
  if (/[\\/]node_modules[\\/]ava[\\/](?:entrypoints[\\/]cli\.mjs|cli\.js)$/.test(script) && !isOldAva(script))
    return require('./ava.cjs').tapAva(context);
  if (/[\\/]node_modules[\\/](?:tap[\\/](?:bin|dist)|@tapjs[\\/]run)[\\/]/.test(script))
    return require('./node-tap.cjs').tapNodeTap(context);
  require('./any-process.cjs').tapAny(context);
}

/** An installed tool that only reads code and creates nothing that tests could need. */
function isLinter(script) {
  const [, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(script) ?? [];
  const checks = process.argv.some((arg) => /^(?:-c|-l|--check|--list-different)$/.test(arg));
  return (
    (name === 'prettier' && checks) ||
    /^(?:eslint|xo|(?:semi|ts-)?standard|oxlint|oxfmt|@biomejs[\\/]biome|stylelint|jshint|markdownlint-cli2?|cspell|publint|knip|size-limit|@arethetypeswrong[\\/]cli|@npmcli[\\/]template-oss)$/.test(
      name ?? '',
    )
  );
}

/** Before version 1, AVA's workers send other messages. It then counts like a script without a runner. */
function isOldAva(script) {
  const { dirname, join } = require('node:path');
  return require('node:fs').existsSync(join(dirname(script), 'lib', 'test-worker.js'));
}

/** The Node shim starts it with a few more arguments. */
function hideArguments(own) {
  if (own.TAP_ADDED !== undefined) process.execArgv.splice(0, Number(own.TAP_ADDED));
}

function leaveNoModules() {
  for (const path of Object.keys(require.cache)) if (path.startsWith(__dirname)) delete require.cache[path];
}
