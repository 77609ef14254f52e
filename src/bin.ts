import { loadMcp, loadProgram } from './load-program.ts';
import { startHook } from './start-hook.ts';
import { VERSION } from './version.ts';

const args = process.argv.slice(2);
// Node opens its inspector on SIGUSR1, through which other processes could run code in the resident one.
if (args[0] === 'serve') process.on('SIGUSR1', () => {});
// Before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${VERSION}\n`);
else
  run().then((exitCode) => {
    process.exitCode = exitCode;
  });

async function run(): Promise<number> {
  if (args[0] === 'hook') return startHook(args.slice(1));
  const program = loadProgram('command');
  return program.runCli(args, undefined, {
    serveMcp: (options) => loadMcp().runMcp(options),
    serve: (options) => program.runServe({ ...options, openDashboard: program.dashboardService }),
    openDashboard: program.openDashboard,
    writeReport: (options) =>
      program.writeReport({
        ...options,
        run: (line, cwd) => program.runCaptured(line, { cwd, env: options.env }),
      }),
    writeCiReport: program.writeCiReport,
  });
}
