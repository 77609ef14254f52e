import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginAction, endActions } from '../../../../src/enforcement/actions/open-actions.ts';
import { observeChanges } from '../../../../src/enforcement/hooks/observe-changes.ts';
import { observeCommits } from '../../../../src/enforcement/provenance/observe-commits.ts';
import { findGitFolder } from '../../../../src/platform/git/git-folder.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../../../support/cli.ts';

const TASK = 'tasks/TASK-001-cart.md';
const PERSON = { in: 'shop', person: true, input: 'y\n' };

let sandbox: Sandbox;

function task(criterion: string): string {
  return `---\nid: TASK-001\ntitle: Cart\ntask_type: feature\n---\n# Cart\n\n## Acceptance criteria\n- [ ] AC-001: ${criterion}\n`;
}

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('shop');
  sandbox.write(
    'shop/.guardkit/config.yaml',
    'project: shop-4f2a\nverify:\n  tests:\n    command: node --test\n',
  );
  sandbox.write(`shop/${TASK}`, task('it adds up'));
  sandbox.git('shop', 'add', '--all');
  sandbox.commit('shop', 'Begin');
  mkdirSync(sandbox.home);
});

afterEach(() => sandbox.cleanup());

/** An agent commits another task past the working files, to the branch that work is judged against. */
function agentMovesBase(): void {
  const git = findGitFolder(sandbox.path('shop'));
  if (!git) throw new Error('there is no repository');
  const ledger = openLedger({ path: join(sandbox.home, 'ledger.db') });
  const context = {
    ledger,
    project: 'shop-4f2a',
    checkout: sandbox.path('shop'),
    git,
    dataFolder: sandbox.home,
    home: sandbox.path('home'),
    globs: [],
  };
  try {
    observeCommits(context);
    observeChanges(context);
    const action = { session: 's1', action: 'a1', agent: 'claude', runs: true, summary: 'git commit' };
    const begun = beginAction(context, action);
    const before = task('it adds up');
    sandbox.write(`shop/${TASK}`, task('it is there'));
    sandbox.git('shop', 'commit', '--quiet', '--all', '--message', 'Tidy');
    sandbox.write(`shop/${TASK}`, before);
    observeCommits(context);
    observeChanges(context);
    endActions(context, [begun]);
  } finally {
    ledger.close();
  }
}

/** The criterion that a verification uses. */
async function criterion(): Promise<string> {
  const { stdout } = await sandbox.guardkit(['verify', 'TASK-001', '--json'], { in: 'shop' });
  return JSON.parse(stdout).criteria[0].text;
}

test('a task that an agent committed past the working files has no effect until a person accepts it', async () => {
  expect(await criterion()).toBe('it adds up');
  agentMovesBase();
  expect(await criterion()).toBe('it adds up');
  const agent = await sandbox.guardkit(['accept'], { ...PERSON, hiddenAgent: 'an agent opened this' });
  expect(agent.exitCode).toBe(1);
  expect(await criterion()).toBe('it adds up');
  const accepted = await sandbox.guardkit(['accept', '--json'], PERSON);
  expect(JSON.parse(accepted.stdout).accepted).toMatchObject([{ path: TASK }]);
  expect(await criterion()).toBe('it is there');
});

test('checking out what an agent committed does not put it in force', async () => {
  agentMovesBase();
  sandbox.git('shop', 'checkout', '--quiet', '--', TASK);
  expect(await criterion()).toBe('it adds up');
});

test('what a person commits on top of an agent’s commit is in force', async () => {
  agentMovesBase();
  sandbox.write(`shop/${TASK}`, task('it adds up, and takes away'));
  sandbox.git('shop', 'commit', '--quiet', '--all', '--message', 'Stricter');
  expect(await criterion()).toBe('it adds up, and takes away');
});
