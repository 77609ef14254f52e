'use strict';
const { syncBuiltinESMExports } = require('node:module');
const threads = require('node:worker_threads');

/** Loads the tap into threads of the files that match, which take options from their environment. */
function changeThreads(pattern, own, worker, started = () => {}) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(path, options = {}) {
      const isOwn = pattern.test(String(path));
      super(path, isOwn ? { ...options, env: withTap(options.env ?? process.env, own, worker) } : options);
      if (isOwn) started(this, options);
    }
  };
  syncBuiltinESMExports();
}

/** Options of the project itself would be read twice, and some of them are not for threads. */
function withTap(env, own, worker) {
  if (typeof env !== 'object' || env.NODE_OPTIONS) return env;
  return {
    ...env,
    NODE_OPTIONS: own.TAP_OPTIONS,
    GUARDKIT_TAP_OPTIONS: own.TAP_OPTIONS,
    GUARDKIT_TAP_UNDO: own.TAP_UNDO,
    GUARDKIT_TAP_WORKER: JSON.stringify(worker),
  };
}

module.exports = { changeThreads };
