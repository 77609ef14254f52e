/**
 * A path in a folder, where both are plain already. `join` goes through every letter of them to see that, which takes longer
 * than a look at the file.
 */
export function pathBelow(folder: string, path: string): string {
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
}
