import type { CliResult } from './cli.ts';

/** The code of the failure that a command with `--json` printed for programs; undefined where there is none. */
export function errorCode({ stdout }: Pick<CliResult, 'stdout'>): string | undefined {
  if (stdout === '') return undefined;
  return (JSON.parse(stdout) as { error?: { code: string } }).error?.code;
}
