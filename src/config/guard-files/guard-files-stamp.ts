import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileStamp } from '../../platform/files/file-stamp.ts';

export const GUARDS_FOLDER = '.guardkit/guards';

/** Sorted by name: earlier guards report first. */
export function guardFileNames(root: string): string[] {
  try {
    return readdirSync(join(root, GUARDS_FOLDER))
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch {
    // Safe: without the folder there are no project guards; its removal by an agent is detected elsewhere.
    return [];
  }
}

/** Changes whenever the configuration or a guard file may have changed; cheaper than reading them. */
export function guardFilesStamp(root: string): string {
  const files = ['.guardkit/config.yaml', ...guardFileNames(root).map((name) => `${GUARDS_FOLDER}/${name}`)];
  return files.map((file) => `${file} ${fileStamp(join(root, file))}`).join('\n');
}
