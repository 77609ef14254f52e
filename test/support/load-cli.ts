import { inject } from 'vitest';

type Cli = typeof import('../../src/interfaces/cli/program/run-cli.ts');

/** The command line, to be run in this process. */
export async function loadCli(): Promise<Cli> {
  const bundle = inject('cliBundle');
  return bundle === undefined
    ? import('../../src/interfaces/cli/program/run-cli.ts')
    : ((await import(/* @vite-ignore */ bundle)) as Cli);
}
