import type { runBroker, runCli } from './interfaces/cli/run-cli.ts';
import type { runMcp } from './interfaces/mcp/run-mcp.ts';
import { loadScript } from './load-script.ts';
import { loadSession } from './load-session.ts';
import { quickLine } from './quick-lines.ts';
import { type HookScript, startHook } from './start-hook.ts';
import { VERSION } from './version.ts';

/** Put in by the build: the files beside this one that hold everything but the version. */
declare const __GUARDKIT_PROGRAM__: string;
declare const __GUARDKIT_QUICK__: Readonly<Record<string, string>>;
declare const __GUARDKIT_HOOK__: string;
declare const __GUARDKIT_MCP__: string;

const args = process.argv.slice(2);
// Answered here, before anything else is loaded.
if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${VERSION}\n`);
else
  run().then((exitCode) => {
    process.exitCode = exitCode;
  });

async function run(): Promise<number> {
  // A small program of its own, since an agent waits for it at every step.
  if (args[0] === 'hook')
    return startHook(() => beside<HookScript>(__GUARDKIT_HOOK__), args.slice(1), loadSession);
  if (args[0] === 'broker') return beside<{ runBroker: typeof runBroker }>(__GUARDKIT_PROGRAM__).runBroker();
  const serveMcp: typeof runMcp = (options) =>
    beside<{ runMcp: typeof runMcp }>(__GUARDKIT_MCP__).runMcp(options);
  const script = __GUARDKIT_QUICK__[quickLine(args) ?? ''] ?? __GUARDKIT_PROGRAM__;
  return beside<{ runCli: typeof runCli }>(script).runCli(args, undefined, { serveMcp });
}

function beside<Exports>(script: string): Exports {
  return loadScript<Exports>(`${__dirname}/${script}`, { require });
}
