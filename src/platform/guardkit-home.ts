import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The data folder, outside every project. */
export function guardkitHome(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env.GUARDKIT_HOME;
  return configured ? resolve(configured) : join(homedir(), '.guardkit');
}
