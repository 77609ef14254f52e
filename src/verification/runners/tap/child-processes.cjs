'use strict';
// Changes the environment of this process's children, invisibly to its own code.
const childProcess = require('node:child_process');

/** `change(pairs, {file, args})` gets and returns `NAME=value` lines. Returns a function that ends it. */
function changeChildren(change) {
  const prototype = childProcess.ChildProcess.prototype;
  const ends = [
    replace(
      prototype,
      'spawn',
      (original) =>
        function spawn(options) {
          apply(options, change);
          return Reflect.apply(original, this, [options]);
        },
    ),
  ];
  const binding = syncBinding();
  if (binding !== undefined) {
    ends.push(
      replace(
        binding,
        'spawn',
        (original) =>
          function spawn(options) {
            apply(options, change);
            return Reflect.apply(original, this, [options]);
          },
      ),
    );
  }
  return () => {
    for (const end of ends) end();
  };
}

/** The only path that `spawnSync` and its variants share. */
function syncBinding() {
  // Requesting it would then print a warning.
  if (process.env.NODE_PENDING_DEPRECATION || process.execArgv.includes('--pending-deprecation')) return;
  return process.binding('spawn_sync');
}

function replace(holder, name, make) {
  const original = holder[name];
  const replacement = make(original);
  holder[name] = replacement;
  return () => {
    if (holder[name] === replacement) holder[name] = original;
  };
}

function apply(options, change) {
  if (!Array.isArray(options?.envPairs)) return;
  try {
    options.envPairs = change(options.envPairs, { file: options.file, args: options.args ?? [] });
  } catch {
    // Safe: the child starts unchanged, and results that it does not record are absent.
  }
}

module.exports = { changeChildren };
