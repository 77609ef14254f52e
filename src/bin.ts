import { VERSION } from './version.ts';

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${VERSION}\n`);
} else {
  // A command ends before the code that zod would compile for its schemas pays for itself. Said here, where zod looks
  // for it when it is loaded: its own `config` comes after the schemas are made.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const { runCli } = await import('./interfaces/cli/run-cli.ts');
  process.exitCode = await runCli(args);
}
