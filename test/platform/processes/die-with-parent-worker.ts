import { runCommand } from '../../../src/platform/processes/run-command.ts';

/** Runs a command without a sandbox that would go on for long, for a test that kills this process meanwhile. */
const [cwd = '/'] = process.argv.slice(2);
await runCommand('echo $$ > shell; exec sleep 300', { cwd, env: process.env, timeoutMs: 300_000 });
