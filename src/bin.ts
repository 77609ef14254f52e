import { loadMcp, loadProgram } from './load-program.ts';
import { startHook } from './start-hook.ts';
import { VERSION } from './version.ts';

const args = process.argv.slice(2);
// Before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${VERSION}\n`);
else
  run().then((exitCode) => {
    process.exitCode = exitCode;
  });

async function run(): Promise<number> {
  if (args[0] === 'hook') return startHook(args.slice(1));
  const program = loadProgram('command');
  if (args[0] === 'broker') return program.runBroker();
  return program.runCli(args, undefined, { serveMcp: (options) => loadMcp().runMcp(options) });
}
