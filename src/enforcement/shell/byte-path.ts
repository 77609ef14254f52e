/**
 * A path with one character for each of its bytes (Latin-1). File names need not be UTF-8, and a name that was decoded
 * and encoded again would be another file.
 */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(path, 'utf8').toString('latin1');
}

export function bytesOf(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people; bytes that are not UTF-8 are replaced. */
export function shownPath(path: BytePath): string {
  return bytesOf(path).toString('utf8');
}

/** Whether a path is a folder itself or lies in it. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
