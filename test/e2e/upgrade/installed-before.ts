import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqlite } from '../../../src/platform/open-sqlite.ts';
import { entryHash } from '../../../src/store/ledger/chain/entry-hash.ts';
import { CHAIN_START, type EntryRow } from '../../../src/store/ledger/chain/ledger-entry.ts';
import { Sandbox } from '../../support/cli.ts';

interface SavedLedger {
  user_version: number;
  application_id: number;
  schema: string[];
  tables: Record<string, Record<string, string | number | null>[]>;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * A project with an installation of the version before kernel protection: hooks in the older form, a waiver, a person's edit
 * that was recorded as a violation, and a run that was killed while verifying its first feature.
 */
export function installedBefore(): Sandbox {
  const sandbox = new Sandbox();
  const project = sandbox.path('project');
  const here = (name: string) =>
    readFileSync(join(HERE, name), 'utf8')
      .replaceAll('{{DATA}}', sandbox.home)
      .replaceAll('{{PROJECT}}', project);
  mkdirSync(project);
  sandbox.git('project', 'init', '--quiet', '--initial-branch=main');
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: project,
    env: sandbox.env,
    input: readFileSync(join(HERE, 'project.fast-export')),
  });
  sandbox.git('project', 'reset', '--quiet', '--hard', 'main');
  sandbox.write('project/.claude/settings.local.json', here('settings.local.json'));
  const worktree = join(sandbox.home, 'worktrees', 'p-fdf7', 'FEAT-1');
  sandbox.git('project', 'worktree', 'add', '--quiet', worktree, 'guardkit/FEAT-1');
  writeLedger(join(sandbox.home, 'ledger.db'), JSON.parse(here('ledger.json')) as SavedLedger);
  return sandbox;
}

function writeLedger(file: string, { user_version, application_id, schema, tables }: SavedLedger): void {
  const database = openSqlite(file);
  database.pragma('journal_mode = WAL');
  // Triggers protect the chain, which is written here.
  const isTrigger = (statement: string) => statement.startsWith('CREATE TRIGGER');
  for (const statement of schema.filter((one) => !isTrigger(one))) database.exec(statement);
  for (const [table, rows] of Object.entries(chained(tables)))
    for (const row of rows) {
      const columns = Object.keys(row);
      const values = columns.map((column) => `@${column}`);
      database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${values})`).run(row);
    }
  for (const statement of schema.filter(isTrigger)) database.exec(statement);
  database.pragma(`user_version = ${user_version}`);
  database.pragma(`application_id = ${application_id}`);
  database.close();
}

/**
 * The entries contain this test's folders, so their hashes must be recomputed. The last one was written just now: old
 * waivers expire.
 */
function chained(tables: SavedLedger['tables']): SavedLedger['tables'] {
  const id = String(Object.values(tables.ledger?.[0] ?? {})[0]);
  const age = Date.now() - Number(tables.entries?.at(-1)?.at);
  let last = CHAIN_START;
  const entries = (tables.entries ?? []).map((row) => {
    const entry = { ...row, at: Number(row.at) + age, prev_hash: last.hash } as EntryRow;
    last = { number: entry.number, hash: entryHash(id, entry) };
    return { ...entry, hash: last.hash };
  });
  const heads = (tables.heads ?? []).map((row) => ({ ...row, hash: last.hash }));
  return { ...tables, entries, heads };
}
