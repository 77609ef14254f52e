import { posix } from 'node:path';

interface GoFiles {
  files: Iterable<string>;
  changed: ReadonlyMap<string, unknown>;
  readText(path: string): string | undefined;
}

/**
 * Changed Go files of internal packages that only tests import. Nothing outside the module can import such a package, so
 * it is no part of the product.
 */
export function goTestSupport({ files, changed, readText }: GoFiles): string[] {
  const inside = [...changed.keys()].filter((path) => /(?:^|\/)internal\/.*\.go$/.test(path));
  if (inside.length === 0) return [];
  const sources = [...files].filter((path) => path.endsWith('.go'));
  const imports = new Map(sources.map((path) => [path, importedPackages(readText(path) ?? '')]));
  const isProgram = (folder: string) =>
    sources.some(
      (path) =>
        posix.dirname(path) === folder && /^package main$/m.test(readText(path)?.slice(0, 5000) ?? ''),
    );
  const isSupport = (folder: string) => {
    const users = sources.filter(
      (path) =>
        posix.dirname(path) !== folder && imports.get(path)?.some((name) => name.endsWith(`/${folder}`)),
    );
    return users.length > 0 && users.every((path) => path.endsWith('_test.go')) && !isProgram(folder);
  };
  const support = new Set([...new Set(inside.map((path) => posix.dirname(path)))].filter(isSupport));
  return inside.filter((path) => support.has(posix.dirname(path)));
}

function importedPackages(text: string): string[] {
  return [...text.matchAll(/^(?:import\s+)?\s*(?:[\w.]+\s+)?"([^"\n]{1,300})"$/gm)].map(
    ([, name]) => name ?? '',
  );
}
