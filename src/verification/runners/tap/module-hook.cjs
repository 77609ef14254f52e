'use strict';
// Observes CommonJS modules of test runners on load. It removes itself as soon as nothing more is wanted.
const Module = require('node:module');

/**
 * `wanted`: pairs of a pattern for a module's path and a function that gets its exports and may return others. Each is
 * used once, and the first match decides: of several lists only its own stays wanted.
 */
function onModules(...lists) {
  let open = lists;
  const original = Module._extensions['.js'];
  function load(module, filename) {
    Reflect.apply(original, this, [module, filename]);
    for (const list of open) {
      const index = list.findIndex(([pattern]) => pattern.test(filename));
      if (index === -1) continue;
      const [[, use]] = list.splice(index, 1);
      open = list.length > 0 ? [list] : [];
      if (open.length === 0 && Module._extensions['.js'] === load) Module._extensions['.js'] = original;
      const replaced = use(module.exports);
      if (replaced !== undefined) module.exports = replaced;
      return;
    }
  }
  Object.defineProperty(load, 'name', { value: original.name });
  Module._extensions['.js'] = load;
}

module.exports = { onModules };
