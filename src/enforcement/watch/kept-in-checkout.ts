import { join } from 'node:path';
import { isInside } from '../../platform/files/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import { watchAreas } from './watch-areas.ts';
import type { WatchContext } from './watch-context.ts';

/** Whether an agent that can write its checkout and these places reaches nothing else that is watched. */
export function keptInCheckout(context: WatchContext, writable: readonly string[]): boolean {
  const watched = watchAreas(context, [])
    .filter(({ kind }) => kind !== 'checkout')
    .flatMap(({ folder, roots }) => roots.map((root) => resolvePath(join(folder, root)).path));
  return writable
    .map((path) => resolvePath(path).path)
    .every((path) => !watched.some((root) => isInside(root, path) || isInside(path, root)));
}
