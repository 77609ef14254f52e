import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { GuardKitError } from '../guardkit-error.ts';

/** The data folder, outside every project. */
export function guardkitHome(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env.GUARDKIT_HOME;
  if (!configured) return belowHome(homedir());
  if (isAbsolute(configured)) return resolve(configured);
  throw new GuardKitError({
    code: 'home.relative',
    kind: 'input',
    message: `GUARDKIT_HOME must be an absolute path (got "${configured}").`,
    hint: 'Set it to an absolute path, or unset it to use ~/.guardkit.',
  });
}

/** HOME may be empty, as in some containers and services. */
function belowHome(home: string): string {
  if (isAbsolute(home)) return join(home, '.guardkit');
  throw new GuardKitError({
    code: 'home.unknown',
    kind: 'input',
    message: `HOME must be an absolute path (got "${home}").`,
    hint: 'Set HOME to your home folder, or GUARDKIT_HOME to an absolute path.',
  });
}
