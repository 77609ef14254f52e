/** Folders that a set-up fills with other people's code; they are kept between runs, and commands cannot write to them. */
const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', '.pnpm-store']);

/** Inside of those, where tools keep what they make while they run. Emptied before each run. */
export const CACHE_FOLDERS = ['.cache', '.vite', '.vite-temp', '.vitest'] as const;

export function isDependencyFolder(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    DEPENDENCY_FOLDERS.has(parts.at(-1) ?? '') &&
    !parts.slice(0, -1).some((part) => DEPENDENCY_FOLDERS.has(part))
  );
}
