// For versions of Node whose import hooks run in a thread of their own.
import shim from './uvu-shim.cjs';

export function load(url, context, next) {
  return shim.LIBRARY.test(url) ? shim.shimOf(url) : next(url, context);
}
