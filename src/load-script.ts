/**
 * Runs a script and gives what it exports. A script and no module, since Node lets only a script bring its compiled code
 * along, which saves a third of a start. That code lies beside the script and was made with it by the build: who could
 * change the one could change the other. V8 refuses what another version of it made, and compiles the script as ever.
 * Whoever is a script too gives it its own `require`.
 */
export function loadScript<Exports>(file: string, given?: NodeJS.Require): Exports {
  // A command ends before the code that zod would compile for its schemas pays for itself. Said here, where zod looks
  // for it when it is loaded: its own `config` comes after the schemas are made.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  // Not imported: Node would make a module of each, and the version needs none of them.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { Script } = process.getBuiltinModule('node:vm');
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
  const module = { exports: {} as Exports };
  // With compiled code a script forgets how to import, whatever it was told; this module does it for it.
  const importModule = (name: string) => import(name);
  script.runInThisContext()(module, given ?? requireFrom(file), pathToFileURL(file).href, importModule);
  return module.exports;
}

function requireFrom(file: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(file);
}
