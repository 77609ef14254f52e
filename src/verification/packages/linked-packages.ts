import { posix } from 'node:path';
import { readBlobs, type TreeEntry } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { ownerOf } from './mentioned-packages.ts';

/** The packages that symbolic links in other packages lead to, by the folder of the package with the link. */
export async function linkedPackages(
  repository: Repository,
  entries: readonly TreeEntry[],
  packages: readonly { name: string; folder: string }[],
): Promise<Map<string, Set<string>>> {
  const links = entries.filter(({ mode }) => mode === '120000');
  const targets = await readBlobs(
    repository,
    links.map(({ object }) => object),
  );
  const found = new Map<string, Set<string>>();
  for (const { path, object } of links) {
    const place = posix.join(posix.dirname(path), targets.get(object) ?? '');
    const from = ownerOf(path, packages);
    const to = ownerOf(`${place}/`, packages);
    if (from && to && from !== to)
      found.set(from.folder, (found.get(from.folder) ?? new Set<string>()).add(to.name));
  }
  return found;
}
