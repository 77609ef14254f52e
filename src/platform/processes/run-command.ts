import { GuardKitError } from '../../guardkit-error.ts';
import { layerFolders } from '../sandbox/disposable-folders.ts';
import type { AvailableSandbox } from '../sandbox/find-sandbox.ts';
import { withHomeAccess, withoutSystemCredentials } from '../sandbox/home-access.ts';
import { resolvePath } from '../sandbox/resolve-path.ts';
import { holdPlaceholders, resolvePolicy } from '../sandbox/resolve-policy.ts';
import { readSystem, sandboxArguments } from '../sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from '../sandbox/sandbox-policy.ts';
import { dieWithParent } from './die-with-parent.ts';
import { RUN_VARIABLE } from './end-processes.ts';
import type { OutputLogOptions } from './output-log.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './run-process.ts';

export interface CommandOptions {
  cwd: string;
  /** From `commandEnvironment`. */
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Without a sandbox, the command has GuardKit's permissions. */
  sandbox?: CommandSandbox;
  log?: OutputLogOptions;
  signal?: AbortSignal;
  maxOutputBytes?: number;
  /** Receives both outputs as they arrive. */
  onOutput?: (chunk: Buffer) => void;
  /** Default: no input. */
  input?: string;
}

export interface CommandSandbox {
  status: AvailableSandbox;
  policy: SandboxPolicy;
  /** `private`: the home folder is created for this command and needs no access rules. */
  home?: 'private';
}

export interface CommandResult extends ProcessResult {
  sandboxed: boolean;
  /** Protected paths that the command could replace, because they are reached through a writable link. */
  replaceable: string[];
}

const SHELL = '/bin/sh';
/** So that a command may start with a dash. */
const SHELL_OPTIONS = ['-c', '--'];

/** Runs a person's shell command, in the sandbox if given, and ends everything that it started. */
export async function runCommand(commandText: string, options: CommandOptions): Promise<CommandResult> {
  const { sandbox, ...given } = options;
  const process: ProcessOptions = { ...given, endStrays: true, withPipes: true };
  if (!sandbox) {
    const [program = SHELL, ...args] = [...dieWithParent(), SHELL, ...SHELL_OPTIONS, commandText];
    const result = await runProcess(program, args, process);
    return { ...result, sandboxed: false, replaceable: [] };
  }

  const policy = resolvePolicy(
    sandbox.home === 'private'
      ? withoutSystemCredentials(sandbox.policy)
      : withHomeAccess(sandbox.policy, options.env),
  );
  const layers = await layerFolders(sandbox.status, sandbox.policy.disposable ?? []);
  const args = sandboxArguments({
    entries: [...policy.entries, ...layers.entries],
    system: readSystem(),
    network: sandbox.policy.network,
    cwd: resolvePath(options.cwd).path,
  });
  const release = holdPlaceholders(policy.placeholders);
  try {
    const [program = '', ...rest] = [...layers.prefix, sandbox.status.program];
    // Everything inside ends with the sandbox, so only the sandbox process needs the marker.
    const unmarked = sandbox.home === 'private' ? ['--unsetenv', RUN_VARIABLE] : [];
    const command = [...unmarked, '--', SHELL, ...SHELL_OPTIONS, commandText];
    const result = await runProcess(
      program,
      [...rest, ...layers.options, ...args, '--json-status-fd', '3', ...command],
      { ...process, withReport: true },
    );
    requireStarted(result);
    return { ...result, sandboxed: true, replaceable: policy.replaceable };
  } finally {
    release();
  }
}

/** The sandbox reports an exit only if the command started; its own failure looks like a failed command. */
function requireStarted({ timedOut, aborted, signal, report, tail }: ProcessResult): void {
  if (timedOut || aborted || signal !== null || report.includes('"exit-code"')) return;
  throw new GuardKitError({
    code: 'sandbox.not-started',
    kind: 'outside',
    message: `The sandbox could not start the command: ${tail.trim() || 'no reason given'}.`,
    hint: 'Check that the folders the command needs exist and are visible in the sandbox.',
  });
}
