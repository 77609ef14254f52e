import { existsSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Room } from './room.ts';

/** Takes a path out of the room, unless a link on the way leads elsewhere: what lies there is not ours to remove. */
export function removeFromRoom(room: Room, path: string): void {
  const root = room.folder;
  room.disturb();
  const target = join(root, path);
  const above = dirname(target);
  if (!existsSync(above)) return;
  if (`${realpathSync(above)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    rmSync(target, { recursive: true, force: true });
}
