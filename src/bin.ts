import type { runCli } from './interfaces/cli/run-cli.ts';
import { loadScript } from './load-script.ts';
import { startHook } from './start-hook.ts';
import { VERSION } from './version.ts';

/** Put in by the build: the files beside this one that hold everything but the version. */
declare const __GUARDKIT_PROGRAM__: string;
declare const __GUARDKIT_HOOK__: string;

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${VERSION}\n`);
} else if (args[0] === 'hook') {
  // A small program of its own, since an agent waits for it at every step.
  process.exitCode = await startHook(beside(__GUARDKIT_HOOK__), args.slice(1));
} else {
  process.exitCode = await loadScript<{ runCli: typeof runCli }>(beside(__GUARDKIT_PROGRAM__)).runCli(args);
}

function beside(path: string): string {
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  return fileURLToPath(new URL(path, import.meta.url));
}
