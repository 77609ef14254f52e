import type { Database } from '../../sqlite/open-database.ts';
import { dataVersion, perDatabase } from '../../sqlite/statements.ts';
import type { LedgerFile } from '../ledger-file.ts';

/** Tables derived from the chain, which hooks read instead of it. */
const TABLES = {
  features: {
    rows: 'SELECT id, position, number, body FROM features WHERE project = ? ORDER BY position',
    kind: 'features_recorded',
  },
  learned_guards: {
    rows: 'SELECT id, mode, origin, definition, body FROM learned_guards WHERE project = ? ORDER BY id',
    kind: 'guard_recorded',
  },
} as const;

export type SealedTable = keyof typeof TABLES;

export const SEALED_TABLES: readonly SealedTable[] = ['features', 'learned_guards'];

/** Seals a project's rows as they are. In the transaction that changed them. */
export function sealTable(file: LedgerFile, table: SealedTable, project: string): void {
  const text = sealedText(file, table, project);
  noteSealed(file.database);
  file.database
    .prepare(
      'INSERT INTO seals (name, seal) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seal = excluded.seal',
    )
    .run(`${table} ${project}`, file.signatures.seal(text));
}

const checked = new WeakMap<LedgerFile, { state: string; sealed: Map<string, boolean> }>();

/** Whether the rows are those that GuardKit wrote last. Checked again only after the file has changed. */
export function isTableSealed(file: LedgerFile, table: SealedTable, project: string): boolean {
  const name = `${table} ${project}`;
  const state = tablesState(file);
  let known = checked.get(file);
  if (known?.state !== state) {
    known = { state, sealed: new Map() };
    checked.set(file, known);
  }
  const sealed = known.sealed.get(name) ?? readSealed(file, table, project);
  known.sealed.set(name, sealed);
  return sealed;
}

function readSealed(file: LedgerFile, table: SealedTable, project: string): boolean {
  const seal = file.database
    .prepare('SELECT seal FROM seals WHERE name = ?')
    .pluck()
    .get(`${table} ${project}`);
  if (seal === undefined) return rowsOf(file, table, project).length === 0;
  return file.signatures.isSealed(sealedText(file, table, project), String(seal));
}

/** With the number of the last entry: rows from before it would otherwise still fit their old seal. */
function sealedText(file: LedgerFile, table: SealedTable, project: string): string {
  const last = file.database
    .prepare('SELECT max(number) FROM entries WHERE project = ? AND kind = ?')
    .pluck()
    .get(project, TABLES[table].kind);
  const values = [file.id, table, project, last ?? 0, ...rowsOf(file, table, project).flat()];
  return values
    .map(String)
    .map((value) => `${value.length}:${value}`)
    .join('');
}

function rowsOf({ database }: LedgerFile, table: SealedTable, project: string): unknown[][] {
  return database.prepare(TABLES[table].rows).raw().all(project) as unknown[][];
}

/** How often this connection has sealed a table; nothing else of ours writes there. */
const sealings = perDatabase(() => ({ count: 0, isOpen: false }));

function noteSealed(database: Database): void {
  const own = sealings(database);
  own.count += 1;
  own.isOpen = database.inTransaction;
}

/** Changes with every write to the tables, by this connection or another. */
export function tablesState({ database }: LedgerFile): string {
  const own = sealings(database);
  // A transaction may have undone its writes.
  if (own.isOpen && !database.inTransaction) noteSealed(database);
  const open = own.isOpen ? database.prepare('SELECT total_changes()').pluck().get() : '';
  return `${dataVersion(database)} ${own.count} ${open}`;
}

export interface Reading {
  path: string;
  stamp: string;
  body: string;
}

/** Hooks decide by what is read from here, so an agent must not be able to write it. */
export function readingSeal(file: LedgerFile, reading: Reading): string {
  return file.signatures.seal(textOf(file, reading));
}

export function isReadingSealed(file: LedgerFile, { seal, ...reading }: Reading & { seal: string }): boolean {
  return file.signatures.isSealed(textOf(file, reading), seal);
}

function textOf({ id }: LedgerFile, { path, stamp, body }: Reading): string {
  return ['readings', id, path, stamp, body].map((value) => `${value.length}:${value}`).join('');
}
