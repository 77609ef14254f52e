/** No file system has longer ones. */
const MAX_PATH = 4096;

/** The path below the project's root that a node's `path` means: without a line or an anchor at its end. */
export function repositoryPath(path: string): string | 'pattern' | 'outside' {
  const bare = path
    .slice(0, MAX_PATH)
    .trim()
    .replace(/(?:#.*|:\d+(?:[-:]\d+)?)$/, '');
  if (/[*?[\]{}]/.test(bare)) return 'pattern';
  if (bare.includes('\0') || bare.startsWith('/') || /^[A-Za-z]:[\\/]/.test(bare)) return 'outside';
  return bare.split(/[\\/]/).includes('..') ? 'outside' : bare;
}
