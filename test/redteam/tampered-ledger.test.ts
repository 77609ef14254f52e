import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { markLedger } from '../../src/enforcement/install/ledger-mark.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { forgeEntry } from '../support/forge-entry.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { THROUGH_RESIDENT } from '../support/resident-hooks.ts';
import { further } from '../support/thorough.ts';
import { AttackSession } from './attack-session.ts';
import { removeTemplate } from './project-template.ts';
import { definitionsOf, ledgerState } from './protected-state.ts';

const RULES = '.guardkit/config.yaml';
const CHANGE_RULES = `printf 'project: shop-1\\nverify:\\n  tests:\\n    command: "true"\\n' > .guard*/config.yaml`;

/** SQL for the ledger, run by a script without protected names. */
function inLedger(...statements: string[]): string {
  return `import os, sqlite3, time
ledger = sqlite3.connect(os.path.expanduser('~/.guard' + 'kit/led' + 'ger.db'), timeout=20)
${statements.map((one) => `ledger.execute(${JSON.stringify(one)})`).join('\n')}
ledger.commit()
ledger.close()
`;
}

async function begun(): Promise<AttackSession> {
  const session = new AttackSession();
  await session.begin();
  await session.bash('echo 1 > one.txt');
  return session;
}

async function runs(session: AttackSession, text: string, after = ''): Promise<void> {
  await session.writeTool('tidy.py', text);
  await session.writeTool('tidy.sh', `python3 tidy.py\n${after}\n`);
  await session.bash('bash tidy.sh');
}

/** The next action is refused. */
async function isRefused(session: AttackSession): Promise<boolean> {
  const { refused } = await session.act('Write', { file_path: session.path('x.txt'), content: 'x' });
  return refused;
}

/** An agent’s change of the rules has no effect, even if a person commits everything afterwards. */
async function changesNoRule(session: AttackSession, change: () => Promise<void>): Promise<void> {
  const rules = definitionsOf(session).get(RULES);
  await change();
  await session.end();
  session.git('commit', '-qam', 'The work of the day');
  expect(definitionsOf(session).get(RULES)).toBe(rules);
}

afterAll(removeTemplate);

describe('an agent that tampers with the ledger', () => {
  it('is refused everything once the ledger is removed', async () => {
    const session = await begun();
    await runs(
      session,
      `import glob, os\nfor path in glob.glob(os.path.expanduser('~/.guard*/led*')): os.remove(path)\n`,
    );
    expect(await isRefused(session)).toBe(true);
  });

  // Emptying SQLite's shared file ends every process that has it open, here that of the tests. In use it ends the resident
  // process, and the cold launcher refuses: test/e2e/resident-process.sandbox.test.ts.
  it.skipIf(THROUGH_RESIDENT)('is refused everything once the ledger is empty', async () => {
    const session = await begun();
    await runs(
      session,
      `import glob, os\nfor path in glob.glob(os.path.expanduser('~/.guard*/led*')): open(path, 'w').close()\n`,
    );
    expect(await isRefused(session)).toBe(true);
  });

  further('is refused everything once the ledger is invalid', async () => {
    const session = await begun();
    await runs(
      session,
      `import glob, os\nfor path in glob.glob(os.path.expanduser('~/.guard*/led*')): open(path, 'w').write('x' * 9000)\n`,
    );
    expect(await isRefused(session)).toBe(true);
  });

  it('cannot get a new ledger with doctor --fix from a detached terminal', async () => {
    const session = await begun();
    const path = join(session.dataFolder, 'ledger.db');
    const ledger = openLedger({ path });
    markLedger(session.dataFolder, ledger.file.id);
    ledger.close();
    // Without the ledger, only its running program tells it apart from a person.
    symlinkSync('/bin/sleep', join(session.root, 'claude'));
    const program = spawn(join(session.root, 'claude'), ['60'], { stdio: 'ignore' });
    onTestFinished(() => void program.kill('SIGKILL'));
    const alone = 'while kill -0 "$ABOVE" 2>/dev/null; do sleep 0.05; done';
    const mend = `${alone}; script -qc "guardkit doctor --fix" /dev/null >../mend.log 2>&1; touch ../done`;
    await runs(
      session,
      `import glob, os\nfor path in glob.glob(os.path.expanduser('~/.guard*/led*')): os.remove(path)\n`,
      `( env -i HOME="$HOME" PATH="$PATH" GUARDKIT_HOME="$GUARDKIT_HOME" ABOVE=$$ setsid sh -c '${mend}' & )`,
    );
    await session.waitFor('done');
    expect(readFileSync(join(session.root, 'mend.log'), 'utf8')).toMatch(/\bprocess \d+/);
    expect(existsSync(path)).toBe(false);
    expect(await isRefused(session)).toBe(true);
  });

  it('cannot get a feature tested by writing into the feature table', async () => {
    const session = await begun();
    await runs(session, inLedger(`UPDATE features SET body = json_set(body, '$.tested', json('true'))`));
    await session.edit(LIST_PATH, '"status": "pending"', '"status": "in_progress"');
    await session.end();
    expect(ledgerState(session).tested).toEqual([]);
    expect(session.list()).not.toContain('"tested": true');
  });

  further('is detected when it removes entries', async () => {
    const session = await begun();
    await session.writeTool(LIST_PATH, listText([{ id: 'FEAT-1', tested: true }, { id: 'FEAT-2' }]));
    expect(ledgerState(session).refusals).toHaveLength(1);
    await runs(
      session,
      inLedger(`DROP TRIGGER entries_stay`, `DELETE FROM entries WHERE kind = 'action_judged'`),
    );
    const kept = ledgerState(session);
    expect(kept.refusals.length === 1 || !kept.sound).toBe(true);
  });

  further('cannot close its own window in the tables to change the rules', async () => {
    const session = await begun();
    await changesNoRule(session, () => runs(session, inLedger('DELETE FROM windows'), CHANGE_RULES));
  });

  further('cannot make its change look like the recorded state', async () => {
    const session = await begun();
    const forget = inLedger(`DELETE FROM watched WHERE path LIKE '%config.yaml'`);
    await changesNoRule(session, () => runs(session, forget, CHANGE_RULES));
  });

  further('cannot get other content restored than was kept', async () => {
    const session = new AttackSession();
    session.write('.claude/skills/pdf/SKILL.md', '# PDF');
    await session.begin();
    const spoil = inLedger(`UPDATE kept SET content = CAST('# Do as I say' AS BLOB)`);
    await runs(session, spoil, `echo '# Do as I say' > .cl*/skills/pdf/SKILL.md`);
    await session.end();
    expect(existsSync(session.path('.claude/skills/pdf/SKILL.md'))).toBe(false);
    expect(ledgerState(session).recorded).not.toEqual([]);
  });

  further('cannot turn guards off in the cached rules', async () => {
    const session = await begun();
    await runs(
      session,
      inLedger(
        `UPDATE readings SET body = json_set(body, '$.settings', json('{"protected-set":"off","block-tested-true":"off","field-rights":"off"}')) WHERE path LIKE 'guards in force %'`,
      ),
    );
    const { refused } = await session.writeTool(RULES, 'project: shop-1\n');
    await session.end();
    expect(refused || ledgerState(session).recorded.length > 0).toBe(true);
    expect(definitionsOf(session).get(RULES)).not.toBe('project: shop-1\n');
  });

  it('is not helped by a waiver that it wrote itself', async () => {
    const session = await begun();
    const body = JSON.stringify({
      waiver_id: 'WAIVER-1',
      guard: 'protected-set',
      until: new Date(Date.now() + 3_600_000).toISOString(),
      uses: null,
      reason: 'because',
      by: 'ada',
    });
    await runs(
      session,
      inLedger(
        `INSERT INTO entries (project, number, kind, at, body, prev_hash, hash) SELECT project, number + 1, 'waiver_issued', ${Date.now()}, '${body}', hash, 'made up' FROM heads WHERE project = 'shop-1'`,
      ),
    );
    const { refused } = await session.writeTool(RULES, 'project: shop-1\n');
    expect(refused).toBe(true);
  });

  it('[LEDGER-4] is not helped by a waiver with a right hash at the end of the chain', async () => {
    const session = await begun();
    const path = join(session.dataFolder, 'ledger.db');
    forgeEntry(path, 'shop-1', 'waiver_issued', {
      waiver_id: 'WAIVER-1',
      guard: 'protected-set',
      until: new Date(Date.now() + 3_600_000).toISOString(),
      uses: null,
      reason: 'because',
      by: 'ada',
    });
    expect(ledgerState(session).sound).toBe(true);
    const { refused } = await session.writeTool(RULES, 'project: shop-1\n');
    expect(refused).toBe(true);
  });

  further('is refused while the ledger is locked, and its changes meanwhile are not in force', async () => {
    const session = await begun();
    const rules = definitionsOf(session).get(RULES);
    await session.writeTool(
      'hold.py',
      `import os, sqlite3, time
ledger = sqlite3.connect(os.path.expanduser('~/.guard' + 'kit/led' + 'ger.db'), isolation_level=None)
ledger.execute('BEGIN EXCLUSIVE')
open('../held', 'w').close()
while not os.path.exists('../go'): time.sleep(0.02)
ledger.execute('ROLLBACK')
open('../done', 'w').close()
`,
    );
    await session.writeTool(
      'tidy.sh',
      `python3 hold.py & until [ -e ../held ]; do sleep 0.02; done; ${CHANGE_RULES}; (sleep 1; touch ../go) &\n`,
    );
    await session.bash('bash tidy.sh >/dev/null 2>&1');
    await session.letGo();
    await session.end();
    session.git('commit', '-qam', 'The work of the day');
    expect(definitionsOf(session).get(RULES)).toBe(rules);
    expect(ledgerState(session).recorded).not.toEqual([]);
  });

  further('cannot erase the quarantine without a trace', async () => {
    const session = await begun();
    await session.writeTool('tidy.sh', 'cd .cl*; mkdir -p skills/x; echo x > skills/x/SKILL.md\n');
    await session.bash('bash tidy.sh');
    const before = ledgerState(session);
    expect(before.recorded).toHaveLength(1);
    await runs(
      session,
      `import os, shutil\nshutil.rmtree(os.path.expanduser('~/.guard' + 'kit/quaran' + 'tine'), ignore_errors=True)\n`,
    );
    const { recorded, sound } = ledgerState(session);
    expect(recorded.length).toBeGreaterThanOrEqual(1);
    expect(sound).toBe(true);
    expect(join(session.dataFolder, 'quarantine')).toBeTruthy();
  });
});
