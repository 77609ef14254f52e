import type { runCli } from './interfaces/cli/run-cli.ts';
import { VERSION } from './version.ts';

/** Put in by the build: the file beside this one that holds everything but the version. */
declare const __GUARDKIT_PROGRAM__: string;

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${VERSION}\n`);
} else {
  // A command ends before the code that zod would compile for its schemas pays for itself. Said here, where zod looks
  // for it when it is loaded: its own `config` comes after the schemas are made.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  process.exitCode = await loadProgram().runCli(args);
}

/**
 * A script and no module, since Node lets only a script bring its compiled code along, which saves a third of a start.
 * That code lies beside the script and was made with it by the build: who could change the one could change the other.
 * V8 refuses what another version of it made, and compiles the script as ever.
 */
function loadProgram(): { runCli: typeof runCli } {
  // Not imported: Node would make a module of each, and the version needs none of them.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const { constants, Script } = process.getBuiltinModule('node:vm');
  const url = new URL(__GUARDKIT_PROGRAM__, import.meta.url);
  const file = fileURLToPath(url);
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as { runCli: typeof runCli } };
  script.runInThisContext()(module, createRequire(file), url.href);
  return module.exports;
}
