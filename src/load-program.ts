import type { runMcp } from './interfaces/mcp/run-mcp.ts';
import type * as program from './program.ts';

/** Put in by the build: paths from the folder of the entries. Each name contains a hash of the content. */
declare const __GUARDKIT_PROGRAM__: string;
declare const __GUARDKIT_MCP__: string;

/** SHA-256; `scripts/compile-program.js` writes it in front of the compiled code. */
const DIGEST_BYTES = 32;

/** Hooks have a code cache of their own: a start reads all of it, so it contains only what most steps of an agent run. */
export function loadProgram(use: 'command' | 'hook'): typeof program {
  return loadScript(`${__dirname}/${__GUARDKIT_PROGRAM__}`, use);
}

/** A bundle of its own, since only `guardkit mcp` needs the SDK. */
export function loadMcp(): { runMcp: typeof runMcp } {
  return loadScript(`${__dirname}/${__GUARDKIT_MCP__}`);
}

/**
 * Runs a bundle and returns its exports. It is a script and not a module: in Node 20 only a script can come with compiled
 * code, which saves a third of a start.
 */
function loadScript<Exports>(file: string, use?: string): Exports {
  // A command ends before the code that zod would generate for its schemas pays off. zod reads this when it is loaded; its
  // own `config` function is too late for schemas that exist by then.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  // Not imported: `--version` needs none of them.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { Script } = process.getBuiltinModule('node:vm');
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: use === undefined ? undefined : readCodeCache(file, use),
  });
  const module = { exports: {} as Exports };
  // `cachedData` disables dynamic `import()` in the script, so this module imports for it.
  const importModule = (name: string) => import(name);
  script.runInThisContext()(module, require, pathToFileURL(file).href, importModule);
  return module.exports;
}

/**
 * V8 rejects compiled code of another version or made with other flags, but does not check the rest and crashes on damaged
 * data. The digest detects damage only: whoever can write the cache can write the bundle beside it.
 */
function readCodeCache(file: string, use: string): Buffer | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { hash } = process.getBuiltinModule('node:crypto');
  try {
    const cache = readFileSync(`${file}.${use}-${process.version}-${process.platform}-${process.arch}.cache`);
    const compiled = cache.subarray(DIGEST_BYTES);
    const isWhole = hash('sha256', compiled, 'buffer').equals(cache.subarray(0, DIGEST_BYTES));
    return isWhole ? compiled : undefined;
  } catch {
    // Safe: without compiled code the program only starts more slowly.
    return undefined;
  }
}
