/** Whether a resolved path is this folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** The folders above a resolved path, from the root down, without the path itself. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}
