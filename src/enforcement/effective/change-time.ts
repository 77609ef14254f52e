import { dirname } from 'node:path';
import { absolutePath, type Difference } from './compare-area.ts';
import { lookAt } from './found.ts';
import type { WatchArea } from './watch-areas.ts';

/**
 * Whether what differs was already so at a moment, by the times that the system itself keeps. A file that was moved here
 * shows in its folder, a folder that was moved here in the one around it.
 */
export function changedBefore(area: WatchArea, { path, found }: Difference, moment: number): boolean {
  if (found && found.changedAt >= moment) return false;
  const absolute = absolutePath(area, path);
  const folders: string[] = [];
  for (let folder = dirname(absolute); folder.startsWith(`${area.folder}/`); folder = dirname(folder))
    folders.push(folder);
  // What is gone shows only in its folder, which may be that of the area itself.
  if (!found && folders.length === 0) folders.push(dirname(absolute));
  return folders.every((folder) => {
    const look = lookAt(folder);
    return look !== undefined && look.kind === 'folder' && look.changedAt < moment;
  });
}
