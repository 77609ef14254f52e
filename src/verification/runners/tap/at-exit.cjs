'use strict';

/** Calls back once when this process exits, without a listener that project code could count. */
function atExit(callback) {
  let called = false;
  const call = (exitCode) => {
    if (!called) callback(exitCode);
    called = true;
  };
  const original = process.emit;
  Object.defineProperty(process, 'emit', {
    configurable: true,
    enumerable: Object.hasOwn(process, 'emit'),
    writable: true,
    value: function emit(name, ...rest) {
      if (name !== 'exit') return Reflect.apply(original, this, [name, ...rest]);
      // A listener may end the process at once; tape's does.
      const { reallyExit } = process;
      process.reallyExit = (code) => {
        call(code);
        reallyExit.call(process, code);
      };
      const answer = Reflect.apply(original, this, [name, ...rest]);
      process.reallyExit = reallyExit;
      call(process.exitCode ?? rest[0]);
      return answer;
    },
  });
}

module.exports = { atExit };
