const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    javascript: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte'],
    python: ['py', 'pyx'],
    jvm: ['java', 'kt', 'kts', 'scala', 'groovy'],
    c: ['c', 'cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'],
  }).flatMap(([language, extensions]) => extensions.map((extension) => [extension, language])),
);

/**
 * Files of one language are measured together, so that a new one cannot escape by another extension of it.
 * A name without an extension belongs to none.
 */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 1) return undefined;
  const extension = name.slice(dot + 1).toLowerCase();
  return EXTENSIONS.get(extension) ?? extension;
}

/** Whether tests could cover a file at all: declarations have no code, and tools load their settings outside of tests. */
export function isMeasurable(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  if (/\.d\.[cm]?ts$/.test(name)) return false;
  if (parts.some((part) => part === 'src' || part === 'lib' || part === 'app')) return true;
  return !/^[\w.-]+\.(?:config|setup)\.[cm]?[jt]s$|^\.[\w-]+rc\.[cm]?js$|^(?:conftest|setup|noxfile)\.py$|^build\.rs$/.test(
    name,
  );
}
