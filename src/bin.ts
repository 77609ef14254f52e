import { VERSION } from './version.ts';

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runCli } = await import('./interfaces/cli/run-cli.ts');
  process.exitCode = await runCli(args);
}
