import type { runCli } from './interfaces/cli/run-cli.ts';
import { makeSnapshot } from './make-snapshot.ts';

/** Put in by the build: the files beside this one that hold the commands, by their lines. */
declare const __GUARDKIT_QUICK__: Readonly<Record<string, string>>;

/** The one that this is made for: each has a snapshot of its own, with nothing in it that only others need. */
const line = process.argv[2] ?? '';

makeSnapshot<{ runCli: typeof runCli; evaluate(): void }>({
  folder: process.getBuiltinModule('node:fs').realpathSync(__dirname),
  entry: 'bin.cjs',
  script: __GUARDKIT_QUICK__[line] ?? '',
  main: ({ runCli }) => runCli(process.argv.slice(2)),
});
