import { posix } from 'node:path';
import { readFileScopes } from '../test-files/file-scopes.ts';
import type { ImportedName } from '../test-files/imported-names.ts';
import { importedName, localName } from './loadable-imports.ts';

/** The text of a file on the base and in the candidate; undefined if it does not exist. */
export interface Versions {
  before: string | undefined;
  after: string | undefined;
}

/**
 * Names that a test file imports from the project and that the project no longer has there. `moved`: the new files of
 * names, which their old file may still mention.
 */
export function removedImports(
  path: string,
  text: string,
  versionsOf: (path: string) => Versions | undefined,
  moved: ReadonlyMap<string, string> = new Map(),
): Set<string> {
  const removed = new Set<string>();
  const scopes = readFileScopes(path, text)?.scopes ?? [];
  const imports = scopes.flatMap((scope) => scope.imports ?? []);
  for (const { local, name, module } of [
    ...imports,
    ...importsInTests(path, text).filter((one) => moved.has(one.name)),
  ]) {
    const find = (of: string) => placesOf(path, of).find((one) => versionsOf(one)?.before !== undefined);
    // Python imports a module of a package like a name of it.
    const own = path.endsWith('.py') && name !== '*' ? find(`${module}.${name}`) : undefined;
    const place = own ?? find(module);
    if (place === undefined) continue;
    const { before = '', after } = versionsOf(place) ?? {};
    if (after === undefined) for (const one of removedNames(path, { local, name, module })) removed.add(one);
    else if (own === undefined && lostName(place, { before, after }, name, moved)) removed.add(local);
  }
  return removed;
}

function lostName(
  place: string,
  { before, after }: { before: string; after: string },
  name: string,
  moved: ReadonlyMap<string, string>,
): boolean {
  if (name === 'default') return hasDefault(before) && !hasDefault(after);
  if (name === '*' || !hasWord(before, name)) return false;
  if (!hasWord(after, name)) return true;
  const isMoved = moved.has(name) && moved.get(name) !== place;
  return isMoved && bindsName(place, before, name) && !bindsName(place, after, name);
}

/** `import package.module` in Python declares only the package. */
export function removedNames(path: string, { local, name, module }: ImportedName): string[] {
  const isWhole = path.endsWith('.py') && name === '*' && module.startsWith(`${local}.`);
  return isWhole ? [module, module.slice(module.lastIndexOf('.') + 1)] : [local];
}

function hasDefault(text: string): boolean {
  return /\bdefault\b|\bexports\b|\bexport\s*=/.test(text);
}

/** In Python also within a test, where many import private names. */
function importsInTests(path: string, text: string): ImportedName[] {
  if (!path.endsWith('.py')) return [];
  return [...text.matchAll(/^[ \t]+from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n(#]+)/gm)].flatMap(
    ([, module = '', list = '']) =>
      list.split(',').map((part) => ({ local: localName(part), name: importedName(part), module })),
  );
}

/** Whether a Python module has the name for others, not only in a function or for type checkers. */
function bindsName(path: string, text: string, name: string): boolean {
  if (!path.endsWith('.py')) return true;
  return (readFileScopes(path, text)?.scopes ?? []).some(
    ({ declares, imports = [] }) =>
      declares.includes(name) || imports.some(({ local }) => local === name || local === '*'),
  );
}

/** Whether a Python module had the name for others, such as an imported one that tests replace, and no longer has it. */
export function unbinds(path: string, { before, after }: Versions, name: string): boolean {
  if (!path.endsWith('.py') || before === undefined || after === undefined) return false;
  return bindsName(path, before, name) && !bindsName(path, after, name);
}

/** The new file of moved names, for names that exactly one changed file declares. */
export function findMovedNames(files: ReadonlyMap<string, Versions>): Map<string, string> {
  const places = new Map<string, Set<string>>();
  for (const [path, { before, after }] of files) {
    const had = new Set(declaredIn(path, before));
    for (const name of declaredIn(path, after))
      if (!had.has(name)) places.set(name, (places.get(name) ?? new Set()).add(path));
  }
  return new Map(
    [...places].flatMap(([name, paths]) => (paths.size === 1 ? [[name, [...paths][0] ?? '']] : [])),
  );
}

function declaredIn(path: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return readFileScopes(path, text)?.scopes.flatMap(({ declares }) => declares) ?? [];
}

/** The files that a module's name may mean. */
export function placesOf(path: string, module: string): string[] {
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

export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + word.length] ?? '')) return true;
  return false;
}
