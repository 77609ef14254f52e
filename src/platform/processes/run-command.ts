import { GuardKitError } from '../../guardkit-error.ts';
import { layerFolders } from '../sandbox/disposable-folders.ts';
import type { AvailableSandbox } from '../sandbox/find-sandbox.ts';
import { withHomeAccess, withoutSystemCredentials } from '../sandbox/home-access.ts';
import { resolvePath } from '../sandbox/resolve-path.ts';
import { holdPlaces, resolvePolicy } from '../sandbox/resolve-policy.ts';
import { readSystem, sandboxArguments } from '../sandbox/sandbox-arguments.ts';
import type { SandboxPolicy } from '../sandbox/sandbox-policy.ts';
import { RUN_VARIABLE } from './end-processes.ts';
import type { OutputLogOptions } from './output-log.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './run-process.ts';

export interface CommandOptions {
  cwd: string;
  /** As `commandEnvironment` gives it. */
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Without it the command can do whatever GuardKit can. */
  sandbox?: CommandSandbox;
  log?: OutputLogOptions;
  signal?: AbortSignal;
  maxOutputBytes?: number;
  /** Hears both outputs while they come. */
  onOutput?: (chunk: Buffer) => void;
  /** Without it the command has no input. */
  input?: string;
}

export interface CommandSandbox {
  status: AvailableSandbox;
  policy: SandboxPolicy;
  /** `private`: the environment's home folder is made for this command, so that nothing in it needs other access. */
  home?: 'private';
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
  const { sandbox, ...given } = options;
  const process: ProcessOptions = { ...given, endStrays: true };
  if (!sandbox) {
    const result = await runProcess(SHELL, [...SHELL_OPTIONS, commandText], process);
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
  const release = holdPlaces(policy.placeholders);
  try {
    const [program = '', ...rest] = [...layers.prefix, sandbox.status.program];
    // Everything inside ends with the sandbox, so that only its own process needs the marker.
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
