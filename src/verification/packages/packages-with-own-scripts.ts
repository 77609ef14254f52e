import { posix } from 'node:path';
import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { readFiles } from '../test-side/read-files.ts';

/**
 * The folders of packages that the change adds with scripts that no package of the base has. Such a script is the change's
 * own program: it may write anything as a report.
 */
export async function packagesWithOwnScripts(
  repository: Repository,
  { changes, entries, baseEntries }: Pick<TreeComparison, 'changes' | 'entries' | 'baseEntries'>,
): Promise<string[]> {
  const added = changes.filter(({ path, change }) => change === 'added' && isManifest(path));
  if (added.length === 0) return [];
  const manifests = new Set(baseEntries.map(({ path }) => path).filter(isManifest));
  const [before, fresh] = await Promise.all([
    readFiles(repository, baseEntries, manifests),
    readFiles(repository, entries, new Set(added.map(({ path }) => path))),
  ]);
  return withOwnScripts(before, fresh);
}

/** The folders of those package.json files that have a script which none of the base has under its name. */
export function withOwnScripts(base: readonly TestFile[], added: readonly TestFile[]): string[] {
  const known = new Set(base.flatMap(({ text }) => scriptsOf(text)));
  return added
    .filter(({ text }) => !scriptsOf(text).every((script) => known.has(script)))
    .map(({ path }) => posix.dirname(path));
}

function isManifest(path: string): boolean {
  return posix.basename(path) === 'package.json';
}

/** Each with its name; the whole text if it cannot be read. */
function scriptsOf(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const scripts: unknown = json !== null && typeof json === 'object' ? Reflect.get(json, 'scripts') : {};
    return Object.entries(scripts ?? {}).map(([name, script]) => `${name}\0${script}`);
  } catch {
    // Safe: an unreadable file counts as one unknown script.
    return [text];
  }
}
