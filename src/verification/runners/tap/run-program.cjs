'use strict';
// For shims of programs that cannot load a tap: runs the real program, which sees nothing of us.
const { spawn } = require('node:child_process');
const { hideVariables } = require('./tap-variables.cjs');

/** The arguments of the shim: the real program, its arguments, and the folder for records. */
function takeOver() {
  const [real, ...args] = process.argv.slice(2);
  // The shim removed it, so that no tap is loaded into this process.
  const options = process.env.GUARDKIT_TAP_KEPT;
  delete process.env.GUARDKIT_TAP_KEPT;
  if (options) process.env.NODE_OPTIONS = options;
  return { real, args, folder: hideVariables().REPORTS };
}

/** Runs it to its end and exits with its exit code or signal. */
function runProgram(real, args, stdio) {
  const child = spawn(real, args, { stdio });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // It continues when nobody reads any more, so that its results are still recorded.
  process.stdout.on('error', () => {});
  child.on('error', (error) => {
    process.stderr.write(`${real}: ${error.message}\n`);
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

module.exports = { runProgram, takeOver };
