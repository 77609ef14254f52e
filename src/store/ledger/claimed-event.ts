import { GuardKitError } from '../../guardkit-error.ts';
import { lazyStatements, perDatabase } from '../sqlite/statements.ts';
import type { ChainHead } from './chain/ledger-entry.ts';
import type { LedgerFile } from './ledger-file.ts';

/** Which process answers a hook's event. */
export interface EventClaim {
  /** Unique for each event. */
  key: string;
  owner: string;
  /** The process before it gave no answer: nothing that it still writes counts. */
  takesOver: boolean;
}

const KEPT_MS = 60 * 60_000;
/** A resident process takes thousands of events. */
const PRUNED_AFTER = 500;
let taken = 0;

/**
 * An event that two processes may come to answer: the resident one, and a cold one when that gives no answer. The last to
 * claim it writes; the cold one does not write again what the resident one has written.
 */
export class ClaimedEvent {
  readonly #claim: EventClaim;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #counts = new Map<string, number>();

  constructor(file: LedgerFile, claim: EventClaim, now: number) {
    this.#claim = claim;
    this.#statements = prepareStatements(file.database);
    if (!claim.takesOver) return;
    file.attempt(() => {
      this.#prune(now);
      this.#take(now);
    });
  }

  #prune(now: number): void {
    this.#statements.pruneSteps.run(now - KEPT_MS);
    this.#statements.pruneClaims.run(now - KEPT_MS);
  }

  /** To be called in each transaction that writes. Fails where another process has taken the event over. */
  requireOwn(now: number): void {
    const owner = this.#statements.owner.get(this.#claim.key);
    if (owner === undefined) {
      taken += 1;
      if (taken % PRUNED_AFTER === 0) this.#prune(now);
      this.#take(now);
    } else if (owner !== this.#claim.owner) throw takenOver();
  }

  /** In a transaction: writes, unless the process before has written this step of the event. */
  once(step: string, now: number, write: () => ChainHead[]): ChainHead[] {
    const { key, takesOver } = this.#claim;
    const count = this.#counts.get(step) ?? 0;
    this.#counts.set(step, count + 1);
    const numbered = `${step} ${count}`;
    const earlier = takesOver ? this.#statements.heads.get(key, numbered) : undefined;
    if (typeof earlier === 'string') return JSON.parse(earlier);
    const heads = write();
    // Nobody comes after a cold process.
    if (!takesOver) this.#statements.noteStep.run(key, numbered, JSON.stringify(heads), now);
    return heads;
  }

  #take(now: number): void {
    this.#statements.take.run(this.#claim.key, this.#claim.owner, now);
  }
}

const prepareStatements = perDatabase((database) =>
  lazyStatements({
    owner: () => database.prepare('SELECT owner FROM event_claims WHERE key = ?').pluck(),
    take: () =>
      database.prepare(
        `INSERT INTO event_claims (key, owner, at) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET owner = excluded.owner`,
      ),
    heads: () => database.prepare('SELECT heads FROM event_steps WHERE key = ? AND step = ?').pluck(),
    noteStep: () => database.prepare('INSERT INTO event_steps (key, step, heads, at) VALUES (?, ?, ?, ?)'),
    pruneSteps: () => database.prepare('DELETE FROM event_steps WHERE at < ?'),
    pruneClaims: () => database.prepare('DELETE FROM event_claims WHERE at < ?'),
  }),
);

function takenOver(): GuardKitError {
  return new GuardKitError({
    code: 'event.taken-over',
    kind: 'refused',
    message: 'Another process has taken over this event.',
    hint: 'Nothing to do: the other answer counts.',
  });
}
