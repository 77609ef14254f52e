import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';
import { further } from '../../support/thorough.ts';

const TODO = '.git/rebase-merge/git-rebase-todo';

/** Three commits, so that a rebase can stop at the first of them. */
async function project(): Promise<HookedProject> {
  const project = new HookedProject();
  for (const name of ['one', 'two']) {
    project.write(`src/${name}.js`, '');
    project.git('add', '-A');
    project.git('commit', '-q', '-m', name);
  }
  await project.begin();
  return project;
}

const EDITOR = (text: string) =>
  `GIT_SEQUENCE_EDITOR="sed -i '1s/^pick/edit/; \\$a ${text}'" git rebase -q -i HEAD~2`;

function restored({ dataFolder }: HookedProject): unknown[] {
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    return ledger.entries('shop-1', { kind: 'file_restored' }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

it('a command that an agent left in an unfinished rebase is taken out when the agent stops, and both sides are told', async () => {
  const hooked = await project();
  await hooked.act('Write', {
    file_path: hooked.path('tidy.sh'),
    content: `${EDITOR('exec touch ../pwned')}\n`,
  });
  await hooked.bash('bash tidy.sh');
  expect(hooked.read(TODO)).toContain('exec touch');
  const { json } = await hooked.stop();
  expect(hooked.read(TODO)).toMatch(/^pick [0-9a-f]+ (?:# )?two$/m);
  expect(hooked.read(TODO)).not.toContain('exec');
  expect(json).toMatchObject({ decision: 'block' });
  expect(json.systemMessage).toContain('exec touch ../pwned');
  expect(restored(hooked)).toMatchObject([{ reason: 'rebase-todo' }]);
  hooked.git('rebase', '--continue');
  expect(existsSync(join(hooked.folder, '../pwned'))).toBe(false);
});

further('a command that a person put into a rebase stays, whatever the agent does beside it', async () => {
  const hooked = await project();
  const env = { ...process.env, ...hooked.personEnv() };
  const { execFileSync } = await import('node:child_process');
  execFileSync('/bin/sh', ['-c', EDITOR('exec true')], { cwd: hooked.folder, env, stdio: 'ignore' });
  await hooked.bash('true');
  await hooked.stop();
  await hooked.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
  expect(hooked.read(TODO)).toContain('exec true');
  expect(restored(hooked)).toEqual([]);
});

further(
  'a rebase with commands that the agent finishes itself is left alone between its actions',
  async () => {
    const hooked = await project();
    await hooked.act('Write', { file_path: hooked.path('tidy.sh'), content: `${EDITOR('exec true')}\n` });
    await hooked.bash('bash tidy.sh');
    await hooked.bash('git status');
    expect(hooked.read(TODO)).toContain('exec true');
  },
);
