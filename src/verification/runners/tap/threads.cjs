'use strict';
const { syncBuiltinESMExports } = require('node:module');
const threads = require('node:worker_threads');

/** Loads the tap into threads of matching files through the options in their environment. */
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

/** The project's own options would be read twice, and some are not allowed for threads. */
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
