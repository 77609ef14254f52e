import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { LOCAL_SETTINGS, readSettingsFile } from '../install/settings-file.ts';
import { claudeHome } from '../install/wire-claude.ts';
import { shellContext } from '../install/wire-shell.ts';
import { shellPrefix } from '../shell/shell-launcher.ts';
import { tryInstalledShell } from '../shell/try-shell.ts';
import type { DoctorCheck } from './doctor-check.ts';

const FIX = 'Run `guardkit doctor --fix`.';

/** Whether the commands of agents run in a sandbox here: by the settings, and by a command that is really run in it. */
export async function examineShell(
  git: GitFolder,
  { env, home, dataFolder }: { env: NodeJS.ProcessEnv; home: string; dataFolder: string },
): Promise<DoctorCheck> {
  const id = 'commands';
  const wish = { git, dataFolder, env, home, claudeHome: claudeHome(env, home) };
  const context = shellContext(wish);
  const prefixes = [...new Set([git.root, ...context.otherCheckouts])]
    .map((root) => readSettingsFile(join(root, LOCAL_SETTINGS)))
    .flatMap((reading) => (reading.ok ? [reading.file.settings.env?.CLAUDE_CODE_SHELL_PREFIX] : []));
  const expected = shellPrefix(context.dataFolder, git);
  if (!prefixes.includes(expected))
    return { id, outcome: 'absent', found: 'agents run their commands without a sandbox', hint: FIX };
  if (!existsSync(context.dataFolder))
    return { id, outcome: 'fail', found: `${dataFolder} is missing: commands are refused`, hint: FIX };
  const trial = await tryInstalledShell(context, env);
  return trial.ok
    ? {
        id,
        outcome: 'pass',
        found: 'agents run their commands in a sandbox: a forbidden write failed just now',
      }
    : { id, outcome: 'fail', found: `commands are refused: ${trial.why}`, hint: trial.install };
}
