import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { GuardKitError } from '../guardkit-error.ts';

/** The data folder, outside every project. */
export function guardkitHome(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env.GUARDKIT_HOME;
  if (!configured) return join(homedir(), '.guardkit');
  if (isAbsolute(configured)) return resolve(configured);
  throw new GuardKitError({
    code: 'home.relative',
    kind: 'input',
    message: `GUARDKIT_HOME is "${configured}", which would be another folder in every folder.`,
    hint: 'Set it to an absolute path, or leave it unset for ~/.guardkit.',
  });
}
