import { startHook } from './start-hook.ts';

// The program that the hook launcher starts. It answers like `guardkit hook` and exits at once, because all output is written.
startHook(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));
