import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** A program on the PATH, but not one from this folder, whose programs are untrusted. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, untrusted: string): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !`${folder}${sep}`.startsWith(`${untrusted}${sep}`))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (stats.mode & 0o111) !== 0;
  } catch {
    // Safe: a missing or inaccessible file cannot be run either.
    return false;
  }
}
