import type { LedgerFile } from '../ledger-file.ts';

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
