import type { TestContext } from 'vitest';
import { commandEnvironment } from '../../src/platform/processes/command-environment.ts';
import {
  type CommandOptions,
  type CommandResult,
  runCommand,
} from '../../src/platform/processes/run-command.ts';
import { type AvailableSandbox, findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import type { SandboxPolicy } from '../../src/platform/sandbox/sandbox-policy.ts';

/** The sandbox of this machine, or a skip that says why there is none. */
export async function bubblewrap(context: TestContext): Promise<AvailableSandbox> {
  const status = await findSandbox();
  if (!status.available) context.skip(status.why);
  return status as AvailableSandbox;
}

/** Runs a command in a sandbox in which nothing but what is given can be written. */
export async function runSandboxed(
  context: TestContext,
  commandText: string,
  { cwd, env, ...rest }: Partial<CommandOptions> & { cwd: string },
  policy: Partial<SandboxPolicy> = {},
): Promise<CommandResult> {
  return runCommand(commandText, {
    cwd,
    env: commandEnvironment(env ?? process.env, { sandboxed: true }),
    timeoutMs: 30_000,
    ...rest,
    sandbox: {
      status: await bubblewrap(context),
      policy: { writable: [cwd], readOnly: [], hidden: [], network: 'loopback', ...policy },
    },
  });
}
