'use strict';
// Observes CommonJS modules of test runners on load. It removes itself as soon as nothing more is wanted.
const Module = require('node:module');

/**
 * `wanted`: pairs of a pattern for a module's path and a function that gets its exports and may return others. Each is
 * called once. If there are several lists, only the one that matches first stays.
 */
function onModules(...lists) {
  let open = lists;
  const extensions = Module._extensions;
  const compile = extensions['.js'];
  const load = Module.prototype.load;
  function ownCompile(module, filename) {
    Reflect.apply(compile, this, [module, filename]);
    use(module, filename);
  }
  // For modules that never reach the function above: tools such as tsx replace it and do not call the previous one.
  function ownLoad(filename) {
    Reflect.apply(load, this, [filename]);
    use(this, filename);
  }
  function use(module, filename) {
    for (const list of open) {
      const index = list.findIndex(([pattern]) => pattern.test(filename));
      if (index === -1) continue;
      const [[, take]] = list.splice(index, 1);
      open = list.length > 0 ? [list] : [];
      if (open.length === 0) removeHooks();
      const replaced = take(module.exports);
      if (replaced !== undefined) module.exports = replaced;
      return;
    }
  }
  function removeHooks() {
    if (extensions['.js'] === ownCompile) extensions['.js'] = compile;
    if (Module.prototype.load === ownLoad) Module.prototype.load = load;
  }
  Object.defineProperty(ownCompile, 'name', { value: compile.name });
  Object.defineProperty(ownLoad, 'name', { value: load.name });
  extensions['.js'] = ownCompile;
  Module.prototype.load = ownLoad;
}

module.exports = { onModules };
