import type { runCli } from './interfaces/cli/run-cli.ts';
import { makeSnapshot } from './make-snapshot.ts';

/** Put in by the build: the file beside this one that holds the commands. */
declare const __GUARDKIT_QUICK__: string;

makeSnapshot<{ runCli: typeof runCli; evaluate(): void }>({
  folder: process.getBuiltinModule('node:fs').realpathSync(__dirname),
  entry: 'bin.cjs',
  script: __GUARDKIT_QUICK__,
  main: ({ runCli }) => runCli(process.argv.slice(2)),
});
