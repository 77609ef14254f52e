/**
 * A path with one character per byte (Latin-1). File names need not be UTF-8, and decoding and encoding such a name would
 * give another file.
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

/** Whether a path is the folder or inside it. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
