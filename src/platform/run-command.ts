import { GuardKitError } from '../guardkit-error.ts';
import type { OutputLogOptions } from './output-log.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './run-process.ts';
import type { AvailableSandbox } from './sandbox/find-sandbox.ts';
import { holdPlaces } from './sandbox/hold-places.ts';
import { withHomeAccess } from './sandbox/home-access.ts';
import { resolvePath } from './sandbox/resolve-path.ts';
import { resolvePolicy } from './sandbox/resolve-policy.ts';
import { sandboxArguments } from './sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from './sandbox/sandbox-policy.ts';
import { readSystem } from './sandbox/sandbox-system.ts';

export interface CommandOptions {
  cwd: string;
  /** As `commandEnvironment` gives it. */
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Without it the command can do whatever GuardKit can. */
  sandbox?: { status: AvailableSandbox; policy: SandboxPolicy };
  log?: OutputLogOptions;
  signal?: AbortSignal;
  maxOutputBytes?: number;
  /** Hears both outputs while they come. */
  onOutput?: (chunk: Buffer) => void;
  /** Without it the command has no input. */
  input?: string;
}

export interface CommandResult extends ProcessResult {
  sandboxed: boolean;
  /** Protected paths whose names the command could give to something else, since a link in its reach leads to them. */
  replaceable: string[];
}

const SHELL = '/bin/sh';
/** A text that begins with a dash is a command all the same. */
const SHELL_OPTIONS = ['-c', '--'];

/** Runs a person's own shell command, in the sandbox if one is given, and ends everything that it started. */
export async function runCommand(commandText: string, options: CommandOptions): Promise<CommandResult> {
  const { sandbox, ...rest } = options;
  const process: ProcessOptions = { ...rest, endStrays: true };
  if (!sandbox) {
    const result = await runProcess(SHELL, [...SHELL_OPTIONS, commandText], process);
    return { ...result, sandboxed: false, replaceable: [] };
  }

  const policy = resolvePolicy(withHomeAccess(sandbox.policy, options.env));
  const args = sandboxArguments({
    entries: policy.entries,
    system: readSystem(),
    network: sandbox.policy.network,
    cwd: resolvePath(options.cwd).path,
  });
  const release = holdPlaces(policy.placeholders);
  try {
    const result = await runProcess(
      sandbox.status.program,
      [...args, '--json-status-fd', '3', '--', SHELL, ...SHELL_OPTIONS, commandText],
      { ...process, withReport: true },
    );
    requireStarted(result);
    return { ...result, sandboxed: true, replaceable: policy.replaceable };
  } finally {
    release();
  }
}

/** The sandbox tells how the command ended only if it began; its own failure has the exit code of a failed command. */
function requireStarted({ timedOut, aborted, signal, report, tail }: ProcessResult): void {
  if (timedOut || aborted || signal !== null || report.includes('"exit-code"')) return;
  throw new GuardKitError({
    code: 'sandbox.not-started',
    kind: 'outside',
    message: `The sandbox could not start the command: ${tail.trim() || 'it gave no reason'}.`,
    hint: 'Look whether the folders that the command needs are there and are not hidden from it.',
  });
}
