import { posix } from 'node:path';
import type { PathChange } from '../../platform/git/git-tree.ts';
import { conventionOf, packageRoots } from '../coverage/source-conventions.ts';
import type { HarnessChange } from '../harness/compare-harness.ts';

const MODULE = /^(.+)\.([cm]?[jt]sx?)$/;

/**
 * JavaScript and TypeScript of the product with the same name, of which the change adds one: test runners and compilers choose
 * differently between `x.js` and `x.ts`, so tests may pass with code that the product does not contain. Nothing in packages
 * of which the base has such pairs, as in those that commit compiled code.
 */
export function twinModules(changes: readonly PathChange[], files: readonly string[]): HarnessChange[] {
  const added = new Set(
    changes.filter(({ path, change }) => change === 'added' && MODULE.test(path)).map(({ path }) => path),
  );
  if (added.size === 0) return [];
  const roots = packageRoots(new Set(files));
  const pairs = findPairs(files, roots).filter((pair) => pair.some((path) => added.has(path)));
  if (pairs.length === 0) return [];
  const deleted = changes.filter(({ change }) => change === 'deleted').map(({ path }) => path);
  const before = findPairs([...files.filter((path) => !added.has(path)), ...deleted], roots);
  const habits = new Set(before.map(([path]) => rootOf(path, roots)));
  const found = pairs.filter(([path]) => !habits.has(rootOf(path, roots)));
  return found.map(([script, source]): HarnessChange => {
    const [path, other] = added.has(script) ? [script, source] : [source, script];
    const part = `module that tests may load instead of ${other}`;
    const words = `${path}: the change adds it beside ${other}, and tests may load either`;
    return { type: 'added', path, part, before: null, after: null, words };
  });
}

/** Each JavaScript file of the product with a TypeScript file of the same name. */
function findPairs(files: readonly string[], roots: ReadonlySet<string>): [script: string, source: string][] {
  const isProduct = (path: string) => conventionOf(path, (folder) => roots.has(folder)) === undefined;
  const scripts: [string, string][] = [];
  const sources = new Map<string, string>();
  for (const path of files) {
    const [, stem, extension = ''] = MODULE.exec(path) ?? [];
    if (stem === undefined) continue;
    if (extension.includes('t')) sources.set(stem, path);
    else scripts.push([stem, path]);
  }
  return scripts.flatMap(([stem, script]): [string, string][] => {
    const source = sources.get(stem);
    return source !== undefined && isProduct(script) && isProduct(source) ? [[script, source]] : [];
  });
}

/** The folder of a file's package. */
function rootOf(path: string, roots: ReadonlySet<string>): string {
  let folder = posix.dirname(path);
  while (folder !== '.' && !roots.has(folder)) folder = posix.dirname(folder);
  return folder;
}
