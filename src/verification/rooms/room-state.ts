import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/atomic-file.ts';

const roomStateSchema = z.strictObject({
  /** Of the set-up that was done here last, if it worked. */
  setupKey: z.string().nullable(),
  /** The tree it was done on, where it left more than dependencies: its result then holds for that tree alone. */
  setupTree: z.string().nullable(),
  dependencyFolders: z.array(z.string()),
  /** What else it left, such as a build of that tree. */
  otherAdditions: z.array(z.string()),
  /** Of the dependency folders as the set-up left them. */
  seal: z.string(),
  /** A command ran here that could write to them. */
  exposed: z.boolean(),
  /** Of what else the set-up left, which every command can write to. */
  otherSeal: z.string().optional(),
});

export type RoomState = z.infer<typeof roomStateSchema>;

export const BARE_ROOM: RoomState = {
  setupKey: null,
  setupTree: null,
  dependencyFolders: [],
  otherAdditions: [],
  seal: '',
  exposed: false,
};

export function readRoomState(path: string): RoomState {
  try {
    return roomStateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Safe: a room that nothing is known of is set up anew.
    return BARE_ROOM;
  }
}

export function writeRoomState(path: string, state: RoomState): void {
  writeFileAtomic(path, `${JSON.stringify(state)}\n`, 0o600);
}
