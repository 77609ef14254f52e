import { startHook } from './start-hook.ts';

// The program that the hook launcher starts. It answers like `guardkit hook`, and then exits at once: everything is written, and
// the system clears away the rest.
startHook(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));
