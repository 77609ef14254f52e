import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';

const workspaceStateSchema = z.strictObject({
  /** The key of the last successful set-up here. */
  setupKey: z.string().nullable(),
  /** The tree of that set-up if it left more than dependencies: the result is then valid for that tree only. */
  setupTree: z.string().nullable(),
  /** Folders from the set-up that are valid for every tree with the same key. */
  dependencyFolders: z.array(z.string()),
  /** Files of the same kind, such as a lock file. */
  dependencyFiles: z.array(z.string()).default([]),
  /** Other results of the set-up, such as a build of that tree; folders end in a slash. */
  otherAdditions: z.array(z.string()),
  /** The seal of these folders and of the home folder after the set-up. */
  seal: z.string(),
  /** A command ran here that could write to them. */
  exposed: z.boolean(),
  /** The seal of the single files, which every command can write to. */
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
    // Safe: a workspace of unknown state is set up again.
    return BARE_WORKSPACE;
  }
}

export function writeWorkspaceState(path: string, state: WorkspaceState): void {
  writeFileAtomic(path, `${JSON.stringify(state)}\n`, 0o600);
}

/** Folders from a set-up, to which a command's writes must not persist. */
export function setupFolders({ dependencyFolders, otherAdditions }: WorkspaceState): string[] {
  const built = otherAdditions.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return [...dependencyFolders, ...built];
}

export function setupFiles({ dependencyFiles, otherAdditions }: WorkspaceState): string[] {
  return [...dependencyFiles, ...otherAdditions.filter((path) => !path.endsWith('/'))];
}
