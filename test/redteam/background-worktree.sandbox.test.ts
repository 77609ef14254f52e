import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellFolder } from '../../src/enforcement/shell/shell-folder.ts';
import { findSandbox } from '../../src/platform/sandbox/find-sandbox.ts';
import { AttackSession } from './attack-session.ts';
import { ledgerState } from './protected-state.ts';

const { available } = await findSandbox();

function restoredFiles(session: AttackSession): string[] {
  return ledgerState(session).recorded.filter((one) => one.startsWith('file_restored '));
}

/** Sets when git commands ended, in seconds from now. */
function endGitCommands({ dataFolder, folder }: AttackSession, inSeconds: number): void {
  const { gitCommands } = shellFolder(dataFolder, { commonDir: join(folder, '.git') });
  const time = Date.now() / 1000 + inSeconds;
  const ends = readdirSync(gitCommands).filter((name) => name.endsWith('.end'));
  expect(ends).not.toEqual([]);
  for (const name of ends) utimesSync(join(gitCommands, name), time, time);
}

it.skipIf(!available)(
  'files missing in a worktree are not restored if a git command that adds or removes it ends while they are judged',
  async () => {
    const session = new AttackSession({ tier: 'kernel' });
    session.git('branch', 'other');
    await session.begin();
    await session.bash('git worktree add -q ../tree other');
    await session.bash('true');
    rmSync(join(session.folder, '../tree/.claude'), { recursive: true });
    endGitCommands(session, 60);
    await session.bash('true');
    expect(restoredFiles(session)).toEqual([]);
    endGitCommands(session, -0.1);
    await session.bash('true');
    expect(restoredFiles(session)).not.toEqual([]);
  },
);
