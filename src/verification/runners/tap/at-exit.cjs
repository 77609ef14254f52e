'use strict';

/** Calls back when this process exits, without a listener that its code would count. */
function atExit(callback) {
  const own = Object.getOwnPropertyDescriptor(process, 'emit');
  const original = process.emit;
  Object.defineProperty(process, 'emit', {
    configurable: true,
    enumerable: own?.enumerable ?? false,
    writable: true,
    value: function emit(name, ...rest) {
      const answer = Reflect.apply(original, this, [name, ...rest]);
      // After the listeners, which may still set the exit code.
      if (name === 'exit') callback(process.exitCode ?? rest[0]);
      return answer;
    },
  });
}

module.exports = { atExit };
