const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    javascript: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte'],
    python: ['py', 'pyx'],
    jvm: ['java', 'kt', 'kts', 'scala', 'groovy'],
    c: ['c', 'cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'],
  }).flatMap(([language, extensions]) => extensions.map((extension) => [extension, language])),
);

/**
 * Files of one language are measured together, so that a new file cannot escape with another extension. A name without
 * an extension has no language.
 */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 1) return undefined;
  const extension = name.slice(dot + 1).toLowerCase();
  return EXTENSIONS.get(extension) ?? extension;
}

const SOURCES = new Set([
  'javascript',
  'python',
  'jvm',
  'c',
  'go',
  'rs',
  'rb',
  'php',
  'cs',
  'swift',
  'dart',
  'ex',
]);

/** Whether a file contains code in a language that coverage tools support. */
export function isSource(path: string): boolean {
  return SOURCES.has(languageOf(path) ?? '');
}
