import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';

const workspaceStateSchema = z.strictObject({
  /** Of the set-up that was done here last, if it worked. */
  setupKey: z.string().nullable(),
  /** The tree it was done on, where it left more than dependencies: its result then holds for that tree alone. */
  setupTree: z.string().nullable(),
  /** Folders that it left and that hold for every tree with the same key. */
  dependencyFolders: z.array(z.string()),
  /** Files of the same kind, such as a lock file. */
  dependencyFiles: z.array(z.string()).default([]),
  /** What else it left, such as a build of that tree: folders end in a slash. */
  otherAdditions: z.array(z.string()),
  /** Of all these folders, and of the home folder, as the set-up left them. */
  seal: z.string(),
  /** A command ran here that could write to them. */
  exposed: z.boolean(),
  /** Of the single files, which every command can write to. */
  filesSeal: z.string().default(''),
});

export type WorkspaceState = z.infer<typeof workspaceStateSchema>;

export const BARE_WORKSPACE: WorkspaceState = {
  setupKey: null,
  setupTree: null,
  dependencyFolders: [],
  dependencyFiles: [],
  otherAdditions: [],
  seal: '',
  exposed: false,
  filesSeal: '',
};

export function readWorkspaceState(path: string): WorkspaceState {
  try {
    return workspaceStateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Safe: a workspace that nothing is known of is set up anew.
    return BARE_WORKSPACE;
  }
}

export function writeWorkspaceState(path: string, state: WorkspaceState): void {
  writeFileAtomic(path, `${JSON.stringify(state)}\n`, 0o600);
}

/** The folders in a workspace that a set-up left, to which a command's writes must not last. */
export function setupFolders({ dependencyFolders, otherAdditions }: WorkspaceState): string[] {
  const built = otherAdditions.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return [...dependencyFolders, ...built];
}

export function setupFiles({ dependencyFiles, otherAdditions }: WorkspaceState): string[] {
  return [...dependencyFiles, ...otherAdditions.filter((path) => !path.endsWith('/'))];
}
