import { statSync } from 'node:fs';

export function isProgram(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (stats.mode & 0o111) !== 0;
  } catch {
    // Safe: a missing or inaccessible file cannot be run either.
    return false;
  }
}
