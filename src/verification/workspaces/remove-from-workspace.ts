import { existsSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { VerificationWorkspace } from './verification-workspace.ts';

/** Takes a path out of the workspace, unless a link on the way leads elsewhere: what lies there is not ours to remove. */
export function removeFromWorkspace(workspace: VerificationWorkspace, path: string): void {
  const root = workspace.folder;
  workspace.disturb();
  const target = join(root, path);
  const above = dirname(target);
  if (!existsSync(above)) return;
  if (`${realpathSync(above)}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    rmSync(target, { recursive: true, force: true });
}
