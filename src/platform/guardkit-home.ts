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
    message: `GUARDKIT_HOME is "${configured}", which would be another folder in every folder.`,
    hint: 'Set it to an absolute path, or leave it unset for ~/.guardkit.',
  });
}

/** HOME may be set and empty, as in some containers and services. */
function belowHome(home: string): string {
  if (isAbsolute(home)) return join(home, '.guardkit');
  throw new GuardKitError({
    code: 'home.unknown',
    kind: 'input',
    message: `HOME is "${home}", so there is no folder for GuardKit’s data.`,
    hint: 'Set HOME to your home folder, or GUARDKIT_HOME to an absolute path.',
  });
}
