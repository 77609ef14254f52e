import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import type { BuildContext } from './build-context.ts';
import type { FeatureWorktree } from './feature-worktree.ts';

/** Records why the build could not go on, and explains it. */
export function interrupted({ record, buildId, worktree }: BuildContext, error: unknown): unknown {
  const explained = explainGone(worktree, record.featureId, error);
  const why = explained instanceof Error ? explained.message : String(explained);
  try {
    record.interrupt({ build_id: buildId, feature_id: record.featureId, why });
  } catch {
    // The error that it would record may be that nothing can be written.
  }
  return explained;
}

/** The error of a build whose worktree a person removed; any other error stays the same. */
function explainGone({ folder }: FeatureWorktree, featureId: string, error: unknown): unknown {
  if (existsSync(join(folder, '.git'))) return error;
  return new GuardKitError({
    code: 'worktree.gone',
    kind: 'outside',
    message: `The worktree of this build was removed while the build was running: ${folder}`,
    hint: `Run \`guardkit feature-build ${featureId} --resume\`: it creates the worktree again and builds the interrupted turn again.`,
    cause: error,
  });
}
