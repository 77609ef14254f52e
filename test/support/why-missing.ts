import { spawnSync } from 'node:child_process';
import { TEST_PATH } from './cli.ts';

/** Why a test cannot run here that needs this command on its PATH; undefined if it can. */
export function whyMissing(program: string, ...args: string[]): string | undefined {
  const { status } = spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH: TEST_PATH } });
  return status === 0 ? undefined : `\`${[program, ...args].join(' ')}\` does not work here`;
}
