'use strict';
// Observes CommonJS modules of test runners on load. It removes itself as soon as nothing more is wanted.
const Module = require('node:module');
const { extname } = require('node:path');

/**
 * `wanted`: pairs of a pattern for a module's path and a function that gets its exports and may return others. Each is
 * used once, and the first match decides: of several lists only its own stays wanted.
 */
function onModules(...lists) {
  let open = lists;
  // Not `_extensions`, which tools such as tsx replace by functions that never call the previous ones.
  const original = Module.prototype.load;
  function load(filename) {
    const next = () => Reflect.apply(original, this, [filename]);
    if (!open.some((list) => findIndex(list, filename) !== -1)) return next();
    return afterCode(filename, (module) => use(module, filename), next);
  }
  function use(module, filename) {
    for (const list of open) {
      const index = findIndex(list, filename);
      if (index === -1) continue;
      const [[, take]] = list.splice(index, 1);
      open = list.length > 0 ? [list] : [];
      if (open.length === 0 && Module.prototype.load === load) Module.prototype.load = original;
      const replaced = take(module.exports);
      if (replaced !== undefined) module.exports = replaced;
      return;
    }
  }
  Object.defineProperty(load, 'name', { value: original.name });
  Module.prototype.load = load;
}

function findIndex(list, filename) {
  return list.findIndex(([pattern]) => pattern.test(filename));
}

/** After `load`, importers could already have the old exports. */
function afterCode(filename, use, load) {
  const ending = extname(filename) in Module._extensions ? extname(filename) : '.js';
  const current = Module._extensions[ending];
  const restore = () => {
    if (Module._extensions[ending] === compile) Module._extensions[ending] = current;
  };
  function compile(module, ...more) {
    restore();
    Reflect.apply(current, this, [module, ...more]);
    use(module);
  }
  Module._extensions[ending] = compile;
  try {
    return load();
  } finally {
    restore();
  }
}

module.exports = { onModules };
