import { spawnSync } from 'node:child_process';
import { isProgram } from './find-program.ts';

const PROGRAMS = ['/usr/bin/setpriv', '/bin/setpriv'];
const OPTIONS = ['--pdeathsig', 'KILL', '--'];

let found: readonly string[] | undefined;

/**
 * The start of a command line whose program the kernel kills when this process ends, even if it is killed itself. Empty where
 * the system cannot do it: such a program is ended when its work is taken up again here. In a sandbox, `--die-with-parent`
 * does the same.
 */
export function dieWithParent(): readonly string[] {
  found ??= probe();
  return found;
}

/** A smaller `setpriv`, such as that of BusyBox, does not have the option. */
function probe(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const program = PROGRAMS.find(isProgram);
  if (program === undefined) return [];
  const { status } = spawnSync(program, [...OPTIONS, '/bin/sh', '-c', 'exit 7'], {
    env: {},
    stdio: 'ignore',
    timeout: 5000,
  });
  return status === 7 ? [program, ...OPTIONS] : [];
}
