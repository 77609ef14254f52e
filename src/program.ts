// The bundle of the command line and the hooks. Its modules are evaluated at first use, so a hook does not load what only
// commands need.
export { runBroker, runCli } from './interfaces/cli/program/run-cli.ts';
export { processWorld, runHook } from './interfaces/hooks/run-hook.ts';
