import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeWindow } from '../../../../src/enforcement/windows/close-window.ts';
import { openWindow } from '../../../../src/enforcement/windows/open-window.ts';
import { findGitFolder } from '../../../../src/platform/git-folder.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../../support/cli.ts';

const TASK = 'tasks/TASK-001-cart.md';
const MOVED = 'by commits made while an agent acted';
const PERSON = { in: 'shop', person: true, input: 'y\n' };

let sandbox: Sandbox;

function task(criterion: string): string {
  return `---\nid: TASK-001\ntitle: Cart\ntask_type: feature\n---\n# Cart\n\n## Acceptance criteria\n- [ ] AC-001: ${criterion}\n`;
}

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-4f2a\n');
  sandbox.write(`shop/${TASK}`, task('it adds up'));
  sandbox.git('shop', 'add', '--all');
  sandbox.commit('shop', 'Begin');
  mkdirSync(sandbox.home);
});

afterEach(() => sandbox.cleanup());

/** An agent rewords the task and commits that to the branch that work is judged against; its own copy is put back. */
function agentMovesBase(): void {
  const git = findGitFolder(sandbox.path('shop'));
  if (!git) throw new Error('there is no repository');
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  const place = {
    ledger,
    project: 'shop-4f2a',
    checkout: sandbox.path('shop'),
    git,
    dataFolder: sandbox.home,
    home: sandbox.path('home'),
    globs: [],
  };
  const action = { session: 's1', action: 'a1', agent: 'claude', runs: true, summary: 'git commit' };
  try {
    openWindow(place, action);
    sandbox.write(`shop/${TASK}`, task('it is there'));
    sandbox.git('shop', 'commit', '--quiet', '--all', '--message', 'Tidy');
    closeWindow(place, { ...action, orphans: false });
  } finally {
    ledger.close();
  }
}

const verify = async () => (await sandbox.guardkit(['verify', 'TASK-001'], { in: 'shop' })).stderr;

test('a base that an agent moved defines nothing, until a person accepts what it says', async () => {
  expect(await verify()).not.toContain(MOVED);
  agentMovesBase();
  expect(await verify()).toContain(`${MOVED}: ${TASK}`);
  // It reads well, and the person takes it as it was committed.
  sandbox.git('shop', 'checkout', '--quiet', '--', TASK);
  const whole = await sandbox.guardkit(['accept'], PERSON);
  expect(whole.stdout).toContain('Nothing to accept');
  const agent = await sandbox.guardkit(['accept', TASK], { ...PERSON, hiddenAgent: 'an agent opened this' });
  expect(agent.stderr).toContain('Only a person may accept');
  expect(await verify()).toContain(MOVED);
  const said = await sandbox.guardkit(['accept', TASK], PERSON);
  expect(said.stdout).toContain(`accepted:\n  ${TASK}`);
  expect(await verify()).not.toContain(MOVED);
});

test('a base that an agent moved defines what a person has committed on top of it', async () => {
  agentMovesBase();
  expect(await verify()).toContain(MOVED);
  sandbox.write(`shop/${TASK}`, task('it adds up, and takes away'));
  sandbox.git('shop', 'commit', '--quiet', '--all', '--message', 'Stricter');
  expect(await verify()).not.toContain(MOVED);
});
