import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileStamp } from '../../platform/files/file-stamp.ts';

export const GUARDS_FOLDER = '.guardkit/guards';

/** By name, since a guard that comes first speaks first. */
export function guardFileNames(root: string): string[] {
  try {
    return readdirSync(join(root, GUARDS_FOLDER))
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch {
    // Safe: a project without the folder has no guards of its own; whether an agent took it away is looked at elsewhere.
    return [];
  }
}

/** Changes whenever the configuration or one of a project's guards may have; reading them all costs more. */
export function guardFilesStamp(root: string): string {
  const files = ['.guardkit/config.yaml', ...guardFileNames(root).map((name) => `${GUARDS_FOLDER}/${name}`)];
  return files.map((file) => `${file} ${fileStamp(join(root, file))}`).join('\n');
}
