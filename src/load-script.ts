import type { Script, ScriptOptions } from 'node:vm';

/** What a script is run with, beside itself. */
export interface ScriptGiven {
  /** Whoever is a script too gives it its own. */
  require?: NodeJS.Require;
  /** Whoever is made into a snapshot or begins with one: V8 compiles otherwise for it, and what it compiled lies under another name. */
  later?: boolean;
  /** For what is loaded beside a script: what gives it the modules that only the script has. */
  part?: (name: string) => unknown;
  /** Whoever is made into a snapshot: what compiles the script now, and its rest later. */
  compile?: CompileScript;
}

export type CompileScript = (source: string, options: ScriptOptions) => Script;

/**
 * Runs a script and gives what it exports. A script and no module, since Node lets only a script bring its compiled code
 * along, which saves a third of a start. That code lies beside the script and was made with it by the build: who could
 * change the one could change the other. V8 refuses what another version of it made, and compiles the script as ever.
 * What a script seldom needs is a script beside it, which it has loaded when it does.
 */
export function loadScript<Exports>(file: string, given: ScriptGiven = {}): Exports {
  // A command ends before the code that zod would compile for its schemas pays for itself. Said here, where zod looks
  // for it when it is loaded: its own `config` comes after the schemas are made.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  // Not imported: Node would make a module of each, and the version needs none of them.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { dirname, join } = process.getBuiltinModule('node:path');
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const kind = given.later ? '-snapshot' : '';
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}${kind}`;
  const { compile = compileScript } = given;
  const script = compile(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
  const module = { exports: {} as Exports };
  // With compiled code a script forgets how to import, whatever it was told; this module does it for it.
  const importModule = (name: string) => import(name);
  const loadRest = (name: string, part: (name: string) => unknown) =>
    loadScript(join(dirname(file), name), { ...given, part });
  script.runInThisContext()(
    module,
    given.require ?? requireFrom(file),
    pathToFileURL(file).href,
    importModule,
    given.part ?? loadRest,
  );
  return module.exports;
}

export function compileScript(source: string, options: ScriptOptions): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  return new Script(source, options);
}

function requireFrom(file: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(file);
}
