import { inTransaction } from '../ledger/in-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { forgetChain, noteShared, sharedNumbers } from '../ledger/shared-writer.ts';
import type { Session } from '../postgres/postgres-database.ts';
import { appendToChain } from './chain-append.ts';
import { pullChain } from './pull-chain.ts';
import { chainError } from './queue-error.ts';
import { SHARED_KINDS } from './shared-kinds.ts';

const ENTRIES_AT_ONCE = 100;

/**
 * Begins an empty chain with all that this machine knows, also from an earlier chain on another server; returns the number of
 * entries.
 */
export async function startChain(session: Session, ledger: Ledger, project: string): Promise<number> {
  inTransaction(ledger, () => forgetChain(ledger.file, project));
  await pullChain(session, ledger, project);
  return shareLocal(session, ledger, project);
}

/**
 * Adds this machine's own entries to the shared chain, in order; returns how many. Pull the chain first: that recognizes what
 * an earlier call added, if it was killed before it could note this.
 */
export async function shareLocal(
  session: Session,
  ledger: Ledger,
  project: string,
  kinds: ReadonlySet<string> = SHARED_KINDS,
): Promise<number> {
  const here = new Set(sharedNumbers(ledger.file, project).values());
  // The tip of a new chain is a commit of this checkout; an earlier chain's entries must not move it.
  const own = ledger
    .entries(project)
    .filter(({ kind, number }) => kinds.has(kind) && kind !== 'feature_stacked' && !here.has(number));
  for (let from = 0; from < own.length; from += ENTRIES_AT_ONCE) {
    const part = own.slice(from, from + ENTRIES_AT_ONCE);
    const head = part[0] && ledger.headAt(project, part[0].number);
    if (!head) break;
    const first = await appendToChain(session, {
      claim: { project, feature: '', epoch: 0, worker: '' },
      machine: { id: ledger.id, ...head },
      batch: `${ledger.id}-${head.number}-${part.length}`,
      entries: part.map(({ kind, body }) => ({ kind, body: JSON.stringify(body) })),
    }).catch((error: unknown) => {
      throw chainError(error, '');
    });
    inTransaction(ledger, () => {
      for (const [index, { number }] of part.entries())
        noteShared(ledger.file, project, first + index, number);
    });
  }
  return own.length;
}
