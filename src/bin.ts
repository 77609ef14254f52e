import type { runCli } from './interfaces/cli/run-cli.ts';
import type { runHook } from './interfaces/hooks/run-hook.ts';
import { VERSION } from './version.ts';

/** Put in by the build: the files beside this one that hold everything but the version. */
declare const __GUARDKIT_PROGRAM__: string;
declare const __GUARDKIT_HOOK__: string;

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${VERSION}\n`);
} else {
  // A command ends before the code that zod would compile for its schemas pays for itself. Said here, where zod looks
  // for it when it is loaded: its own `config` comes after the schemas are made.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  process.exitCode = args[0] === 'hook' ? await hook(args.slice(1)) : await cli();
}

function cli(): Promise<number> {
  return loadScript<{ runCli: typeof runCli }>(__GUARDKIT_PROGRAM__).runCli(args);
}

/** A small program of its own, since an agent waits for it at every step. If it cannot even be loaded, that refuses. */
async function hook(rest: readonly string[]): Promise<number> {
  try {
    return await loadScript<{ runHook: typeof runHook }>(__GUARDKIT_HOOK__).runHook(rest);
  } catch (error) {
    process.stderr.write(
      `GuardKit could not judge this, so it is refused: ${error instanceof Error ? error.message : error}\n` +
        'Run `guardkit doctor` in a terminal of your own; it says what is broken.\n',
    );
    return 2;
  }
}

/**
 * A script and no module, since Node lets only a script bring its compiled code along, which saves a third of a start.
 * That code lies beside the script and was made with it by the build: who could change the one could change the other.
 * V8 refuses what another version of it made, and compiles the script as ever.
 */
function loadScript<Exports>(path: string): Exports {
  // Not imported: Node would make a module of each, and the version needs none of them.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const { Script } = process.getBuiltinModule('node:vm');
  const url = new URL(path, import.meta.url);
  const file = fileURLToPath(url);
  const compiled = `${file}.${process.version}-${process.platform}-${process.arch}`;
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
  const module = { exports: {} as Exports };
  // With compiled code a script forgets how to import, whatever it was told; this module does it for it.
  const importModule = (name: string) => import(name);
  script.runInThisContext()(module, createRequire(file), url.href, importModule);
  return module.exports;
}
