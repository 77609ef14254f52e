import { GuardKitError } from '../../guardkit-error.ts';
import { printable } from './printable.ts';

export interface DescribedError {
  exitCode: number;
  text: string;
  json: { error: { code: string; message: string; hint: string } };
}

/** What a person and a program are told of a failure. */
export function describeError(error: unknown, verbose: boolean): DescribedError {
  const known = error instanceof GuardKitError ? error : unexpected(error);
  const { code, message, hint, exitCode } = known;
  const trace = verbose ? `\n${stackOf(error)}` : '';
  return {
    exitCode,
    text: printable(`✗ ${message}\n  ${hint}${trace}`),
    json: { error: { code, message, hint } },
  };
}

function unexpected(error: unknown): GuardKitError {
  return new GuardKitError({
    code: 'unexpected',
    kind: 'outside',
    message: `Something went wrong that guardkit did not expect: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a fault in guardkit. Run the command again with --verbose and report what it prints.',
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
