import { posix } from 'node:path';
import { readFileScopes } from '../test-files/file-scopes.ts';

/** Text of a file on the base and on the candidate; undefined where it does not exist. */
export interface Versions {
  before: string | undefined;
  after: string | undefined;
}

/** Names that a test file imports from the project and that the project no longer has. */
export function removedImports(
  path: string,
  text: string,
  versionsOf: (path: string) => Versions | undefined,
): Set<string> {
  const removed = new Set<string>();
  for (const { imports = [] } of readFileScopes(path, text)?.scopes ?? [])
    for (const { local, name, module } of imports) {
      const versions = placesOf(path, module)
        .map(versionsOf)
        .find((one) => one?.before !== undefined);
      if (versions === undefined) continue;
      if (versions.after === undefined) removed.add(local);
      else if (
        name !== '*' &&
        name !== 'default' &&
        hasWord(versions.before ?? '', name) &&
        !hasWord(versions.after, name)
      )
        removed.add(local);
    }
  return removed;
}

/** Keeps a test file loadable without the names that are gone: a test that needs one of them fails by itself. */
export function withoutRemovedImports(path: string, text: string, removed: ReadonlySet<string>): string {
  if (removed.size === 0) return text;
  const gone = (list: string) =>
    list
      .split(',')
      .filter((part) => removed.has(localName(part)))
      .map((part) => localName(part));
  const kept = (list: string) =>
    list
      .split(',')
      .filter((part) => !removed.has(localName(part)))
      .join(',');
  if (path.endsWith('.py'))
    return text.replace(
      /^(from[ \t]+[\w.]+[ \t]+import[ \t]+)([^\n(]+)$/gm,
      (whole, head: string, list: string) => {
        const names = gone(list);
        if (names.length === 0) return whole;
        const rest = kept(list).trim();
        const stubs = names.map((name) => `${name} = None`).join('; ');
        return rest === '' ? stubs : `${head}${rest}; ${stubs}`;
      },
    );
  if (!/\.[cm]?[jt]sx?$/.test(path)) return text;
  const type = /\.[cm]?tsx?$/.test(path) ? ': any' : '';
  return text.replace(
    /^import\s*\{([^}]{0,4000})\}\s*from\s*(['"][^'"\n]+['"]);?/gm,
    (whole, list: string, module: string) => {
      const names = gone(list);
      if (names.length === 0) return whole;
      const stubs = names.map((name) => `const ${name}${type} = undefined;`).join(' ');
      return `import {${kept(list)}} from ${module}; ${stubs}`;
    },
  );
}

function localName(part: string): string {
  return (
    part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)
      .at(-1)
      ?.trim() ?? ''
  );
}

function placesOf(path: string, module: string): string[] {
  if (path.endsWith('.py')) {
    const place = module.replace(/^\.+/, '').replaceAll('.', '/');
    const own = posix.dirname(path);
    const roots = module.startsWith('.') ? [own] : ['', 'src', 'lib', own];
    return roots.flatMap((root) => [posix.join(root, `${place}.py`), posix.join(root, place, '__init__.py')]);
  }
  if (!module.startsWith('.')) return [];
  const place = posix.normalize(posix.join(posix.dirname(path), module));
  const source = place.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const endings = ['.js', '.ts', '.mjs', '.cjs', '.tsx', '.jsx', '.mts', '.cts'];
  return [
    place,
    source,
    ...endings.map((ending) => `${place}${ending}`),
    ...endings.map((ending) => `${place}/index${ending}`),
  ];
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + word.length] ?? '')) return true;
  return false;
}
