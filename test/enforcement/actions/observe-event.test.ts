import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { HookedProject } from '../../support/hooked-project.ts';

it('a protected file that an action created is reported as removed, and one that it changed as restored', async () => {
  const hooked = new HookedProject();
  hooked.write('.claude/agents/reviewer.md', 'Review.\n');
  hooked.write('lay.sh', 'cd .cl""aude/agents\necho More. >> reviewer.md\necho New. > helper.md\n');
  await hooked.begin();
  const { after } = await hooked.bash('bash lay.sh');
  const notices = after?.json.systemMessage?.split('\n') ?? [];
  expect(notices.find((line) => line.includes('helper.md'))).toMatch(/GuardKit removed it/);
  expect(notices.find((line) => line.includes('reviewer.md'))).toMatch(/GuardKit restored it/);
});

it('an undone change of git’s configuration names the settings, to both sides and in the ledger', async () => {
  const hooked = new HookedProject();
  hooked.write(
    'set.sh',
    'git config core.editor ./x.sh\ngit config alias.st "!x"\ngit config user.name Agent\n',
  );
  await hooked.begin();
  const { after } = await hooked.bash('bash set.sh');
  for (const told of [after?.json.reason, after?.json.systemMessage])
    expect(told).toContain('(core.editor, alias.st)');
  const ledger = openLedger({ path: join(hooked.dataFolder, 'ledger.db') });
  const restored = ledger.entries('shop-1', { kind: 'file_restored' }).map(({ body }) => body);
  ledger.close();
  expect(restored).toMatchObject([{ path: '.git/config', what: 'was changed (core.editor, alias.st)' }]);
});
