import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { findSandbox } from '../../../../src/platform/sandbox/find-sandbox.ts';
import { makeMachineKey } from '../../../../src/platform/signing/machine-key.ts';
import { CHAIN_START, type EntryRow, entryHash } from '../../../../src/store/ledger/chain/ledger-entry.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { CiProject } from '../../../support/ci-project.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
const sandbox = await findSandbox();

async function verifyLedger(calc: CiProject) {
  const { stdout, exitCode } = await calc.sandbox.guardkit(['ledger', 'verify', '--json'], { in: 'calc' });
  return { ...JSON.parse(stdout), exitCode };
}

/** Removes an entry and chains the rest anew, as an attacker with a database client would. */
function removeEntry(calc: CiProject, number: number): void {
  const path = join(calc.sandbox.home, 'ledger.db');
  const ledger = openLedger({ path });
  const { id } = ledger;
  ledger.close();
  const database = new Database(path);
  const rows = database.prepare('SELECT * FROM entries ORDER BY number').all() as EntryRow[];
  for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
  }[])
    database.exec(`DROP TRIGGER "${name}"`);
  database.pragma('foreign_keys = OFF');
  database.exec('DELETE FROM entries');
  let last = CHAIN_START;
  const columns = ['project', 'number', 'kind', 'at', 'body', 'prev_hash', 'hash'] as const;
  for (const row of rows.filter((one) => one.number !== number)) {
    const { project, kind, at, body } = row;
    const entry = { project, number: last.number + 1, kind, at, body, prev_hash: last.hash };
    last = { number: entry.number, hash: entryHash(id, entry) };
    const whole = { ...entry, hash: last.hash };
    database
      .prepare(
        `INSERT INTO entries (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
      )
      .run(whole);
  }
  database.prepare('UPDATE heads SET number = @number, hash = @hash').run(last);
  database.close();
}

it.skipIf(!sandbox.available)(
  `[LEDGER-2] an entry that was removed and the chain re-linked is noticed by an attestation ${sandbox.available ? '' : sandbox.why}`,
  async () => {
    const calc = new CiProject();
    opened.push(calc);
    makeMachineKey(calc.sandbox.home);
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract');
    const guardkit = (...args: string[]) => calc.sandbox.guardkit(args, { in: 'calc' });
    await guardkit('verify', 'TASK-001');
    expect(await verifyLedger(calc)).toMatchObject({ exitCode: 0, ok: true, anchors: 0 });
    await guardkit('attest', 'TASK-001', '--note');
    const before = await verifyLedger(calc);
    expect(before).toMatchObject({ exitCode: 0, ok: true, anchors: 1 });
    removeEntry(calc, 2);
    const after = await verifyLedger(calc);
    expect(after).toMatchObject({ exitCode: 1, ok: false, reason: 'anchor', first: before.entries });
  },
);
