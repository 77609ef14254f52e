import { canonicalJson } from '../../../domain/json/json.ts';
import { inTransaction } from '../in-transaction.ts';
import type { Ledger } from '../ledger.ts';
import { isTableSealed } from '../signing/seals.ts';
import { guardsByChain, putGuards, readOwnLearnedGuards } from './learned-guards.ts';

/** Ids of learned guards that differ between table and chain. */
export function differingGuards(ledger: Ledger, project: string): string[] {
  const chain = guardsByChain(ledger, project);
  const table = new Map(readOwnLearnedGuards(ledger, project).map((one) => [one.guard_id, one]));
  const differing = [...new Set([...chain.keys(), ...table.keys()])].filter(
    (id) => canonicalJson(chain.get(id) ?? null) !== canonicalJson(table.get(id) ?? null),
  );
  // Hooks read columns of their own, which only the seal covers.
  const isSealed = ledger.file.attempt(() => isTableSealed(ledger.file, 'learned_guards', project));
  return differing.length > 0 || isSealed ? differing : [...chain.keys()];
}

/** Rebuilds the table from the chain; returns the ids of guards that differed. */
export function rebuildGuards(ledger: Ledger, project: string): string[] {
  return inTransaction(ledger, () => {
    const differing = differingGuards(ledger, project);
    putGuards(ledger, project);
    return differing;
  });
}
