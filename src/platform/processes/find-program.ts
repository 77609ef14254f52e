import { delimiter, isAbsolute, join, sep } from 'node:path';
import { isProgram } from '../sandbox/is-program.ts';

/** A program on the PATH, but not one from this folder, whose programs are untrusted. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, untrusted: string): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !`${folder}${sep}`.startsWith(`${untrusted}${sep}`))
    .map((folder) => join(folder, name))
    .find(isProgram);
}
