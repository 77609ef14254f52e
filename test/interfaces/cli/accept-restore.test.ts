import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { openWindow } from '../../../src/enforcement/windows/open-window.ts';
import type { WatchPlace } from '../../../src/enforcement/windows/watch-place.ts';
import { findGitFolder } from '../../../src/platform/git-folder.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../support/cli.ts';

const CONFIG = 'project: shop-4f2a\n';
const MINE = `${CONFIG}# mine\n`;
const PERSON = { in: 'shop', person: true, input: 'y\n' };

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', CONFIG);
  sandbox.write('shop/tasks/TASK-1.md', '# One\n');
  sandbox.git('shop', 'add', '--all');
  sandbox.commit('shop', 'Begin');
  mkdirSync(sandbox.home);
});

afterEach(() => sandbox.cleanup());

/** What happens while an agent acts, whoever does it; the notices that the person is shown. */
function duringAction(work: () => void): string[] {
  const git = findGitFolder(sandbox.path('shop'));
  if (!git) throw new Error('there is no repository');
  const place: WatchPlace = {
    ledger: openLedger({ path: join(sandbox.home, 'ledger.db') }),
    project: 'shop-4f2a',
    checkout: sandbox.path('shop'),
    git,
    dataFolder: sandbox.home,
    home: sandbox.path('home'),
    globs: [],
  };
  const action = { session: 's1', action: 'a1', agent: 'claude', runs: false, summary: 'npm test' };
  try {
    const opened = openWindow(place, action);
    work();
    const closed = closeWindow(place, action);
    return [...opened.notices, ...closed.notices];
  } finally {
    place.ledger.close();
  }
}

test('a person gets back what was put back while an agent acted, and it then stays', async () => {
  const file = sandbox.path('shop', '.guardkit', 'config.yaml');
  const notices = duringAction(() => writeFileSync(file, MINE));
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);
  const command = /`guardkit ([^`]+)`/.exec(notices.join())?.[1]?.split(' ') ?? [];

  const program = await sandbox.guardkit(command, { in: 'shop' });
  expect(program).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Only a person may accept') });
  const tried = await sandbox.guardkit([...command, '--dry-run'], { in: 'shop' });
  expect(tried).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('would bring back') });
  const declined = await sandbox.guardkit(command, { ...PERSON, input: 'n\n' });
  expect(declined.exitCode).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);

  const said = await sandbox.guardkit([...command, '--json'], PERSON);
  expect(JSON.parse(said.stdout)).toMatchObject({ restored: { path: '.guardkit/config.yaml' } });
  expect(readFileSync(file, 'utf8')).toBe(MINE);
  // Also if the next look is in the middle of an action.
  expect(duringAction(() => {})).toEqual([]);
  writeFileSync(file, CONFIG);
  expect(duringAction(() => writeFileSync(file, MINE))).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(MINE);
});

test('a file that a person removed while an agent acted is removed again', async () => {
  const file = sandbox.path('shop', 'tasks', 'TASK-1.md');
  duringAction(() => rmSync(file));
  expect(existsSync(file)).toBe(true);
  const { exitCode } = await sandbox.guardkit(['accept', '--restore', 'tasks/TASK-1.md'], PERSON);
  expect(exitCode).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('a hook of git and a person’s own settings are brought back by the names that the notice has', async () => {
  const hook = sandbox.path('shop', '.git', 'hooks', 'pre-push');
  const settings = sandbox.path('home', '.gitconfig');
  duringAction(() => {
    writeFileSync(hook, '#!/bin/sh\n');
    writeFileSync(settings, '[core]\n\teditor = vi\n');
  });
  expect([existsSync(hook), existsSync(settings)]).toEqual([false, false]);
  for (const path of ['.git/hooks/pre-push', settings])
    await sandbox.guardkit(['accept', '--restore', path], PERSON);
  expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\n');
  expect(readFileSync(settings, 'utf8')).toContain('vi');
});

test('a copy that was changed in quarantine, a link and an unknown file are refused', async () => {
  const file = sandbox.path('shop', '.guardkit', 'config.yaml');
  duringAction(() => writeFileSync(file, MINE));
  const tried = await sandbox.guardkit(
    ['accept', '--restore', '.guardkit/config.yaml', '--dry-run', '--json'],
    {
      in: 'shop',
    },
  );
  const { copy } = (JSON.parse(tried.stdout) as { restored: { copy: string } }).restored;
  writeFileSync(copy, 'project: evil\n');
  const changed = await sandbox.guardkit(['accept', '--restore', '.guardkit/config.yaml'], PERSON);
  expect(changed.stderr).toContain('is not what was found');
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);

  const task = sandbox.path('shop', 'tasks', 'TASK-1.md');
  duringAction(() => writeFileSync(task, '# Mine\n'));
  rmSync(task);
  symlinkSync(sandbox.path('outside', 'x'), task);
  const link = await sandbox.guardkit(['accept', '--restore', 'tasks/TASK-1.md'], PERSON);
  expect(link.stderr).toContain('is no file');
  expect(existsSync(sandbox.path('outside', 'x'))).toBe(false);

  const unknown = await sandbox.guardkit(['accept', '--restore', 'src/x.js'], PERSON);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No version of src/x.js') });
  expect((await sandbox.guardkit(['accept', '--restore'], PERSON)).exitCode).toBe(2);
});
