import { createHash } from 'node:crypto';
import { gitBytesSync } from '../../platform/git-sync.ts';
import type { WatchArea } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';

/** A content by its hash from what is committed or about to be, for one whose own copy is lost. */
export function committedContent(
  { git }: WatchPlace,
  area: WatchArea,
  path: string,
  hash: string,
): Buffer | undefined {
  if (area.kind !== 'checkout' || path.startsWith('/')) return undefined;
  for (const name of [`HEAD:${path}`, `:${path}`]) {
    const content = gitBytesSync(git.gitDir, ['cat-file', 'blob', name]);
    if (content && createHash('sha256').update(content).digest('hex') === hash) return content;
  }
  return undefined;
}
