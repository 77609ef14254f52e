import type { CommanderError } from 'commander';
import { REBUILD } from '../../../enforcement/doctor/doctor-check.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { explainAccess } from '../../../platform/files/explain-access.ts';
import { printable } from '../output/printable.ts';
import { namedCommand } from './commands.ts';

export interface DescribedError {
  exitCode: number;
  text: string;
  json: { error: { code: string; message: string; hint: string; faults?: readonly object[] } };
}

/** An error for people and programs. */
export function describeError(error: unknown, verbose: boolean): DescribedError {
  const known =
    error instanceof GuardKitError ? error : (notBuilt(error) ?? explainAccess(error) ?? unexpected(error));
  const { code, message, hint, faults, exitCode } = known;
  const trace = verbose ? `\n${stackOf(error)}` : '';
  return {
    exitCode,
    text: printable(`✗ ${message.replaceAll('\n', '\n  ')}\n  ${hint}${trace}`),
    json: { error: { code, message, hint, ...(faults ? { faults } : {}) } },
  };
}

/** The database driver is native code, built for one version of Node. */
function notBuilt(error: unknown): GuardKitError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code !== 'ERR_DLOPEN_FAILED' && !error.message.startsWith('Could not locate the bindings file'))
    return undefined;
  return new GuardKitError({
    code: 'program.not-built',
    kind: 'outside',
    message: `Node ${process.versions.node} cannot load GuardKit’s database driver.`,
    hint: REBUILD,
    cause: error,
  });
}

function unexpected(error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'unexpected',
    kind: 'outside',
    message: `Unexpected error: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in GuardKit. Run the command again with --verbose and report the output.',
    cause: error,
  });
}

function stackOf(error: unknown): string {
  const lines: string[] = [];
  for (let current = error; current instanceof Error && lines.length < 8; current = current.cause) {
    lines.push(current.stack ?? String(current));
  }
  return lines.join('\ncaused by ');
}

/** Commander's error about a command line, as ours. */
export function usageError({ code, message }: CommanderError, args: readonly string[]): GuardKitError {
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n');
  const suggestion = /\((Did you mean .+\?)\)/.exec(more.join('\n'))?.[1];
  const { group, command } = namedCommand(args);
  const help = ['guardkit', group?.name, command?.name, '--help'].filter((word) => word !== undefined);
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`,
    hint: [
      suggestion ?? (command && command.arguments.length > 0 ? slip(code) : undefined),
      `See \`${help.join(' ')}\`.`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  });
}

/** A likely cause, for a command that takes a text. */
function slip(code: string): string | undefined {
  if (code === 'commander.excessArguments') return 'Quote text that contains spaces.';
  if (code === 'commander.unknownOption') return 'Put -- before text that starts with a dash.';
  return undefined;
}
