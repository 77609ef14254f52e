'use strict';

/**
 * Shows additional arguments to the files that match `reader`, and the real ones to all others. Returns a function that
 * ends it.
 */
function addArguments(added, reader) {
  const real = process.argv;
  const more = [...real.slice(0, 2), ...added, ...real.slice(2)];
  const shape = { configurable: true, enumerable: true };
  function end(value = real) {
    Object.defineProperty(process, 'argv', { ...shape, writable: true, value });
  }
  Object.defineProperty(process, 'argv', {
    ...shape,
    get: function argv() {
      return reader.test(callerOf(argv)) ? more : real;
    },
    set: end,
  });
  return () => end();
}

function callerOf(getter) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  const place = {};
  Error.captureStackTrace(place, getter);
  Error.stackTraceLimit = stackTraceLimit;
  return String(place.stack).split('\n')[1] ?? '';
}

module.exports = { addArguments };
