import { GuardKitError } from '../../guardkit-error.ts';
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

/**
 * An event that two processes may come to answer: the resident one, and a cold one when that gives no answer. The last to
 * claim it writes; entries that the first has written are not written again.
 */
export class ClaimedEvent {
  readonly #file: LedgerFile;
  readonly #claim: EventClaim;
  readonly #counts = new Map<string, number>();

  constructor(file: LedgerFile, claim: EventClaim, now: number) {
    this.#file = file;
    this.#claim = claim;
    if (!claim.takesOver) return;
    file.attempt(() => {
      file.database.prepare('DELETE FROM event_steps WHERE at < ?').run(now - KEPT_MS);
      file.database.prepare('DELETE FROM event_claims WHERE at < ?').run(now - KEPT_MS);
      this.#take(now);
    });
  }

  /** To be called in each transaction that writes. Fails where another process has taken the event over. */
  requireOwn(now: number): void {
    const { key, owner } = this.#claim;
    const found = this.#file.database
      .prepare('SELECT owner FROM event_claims WHERE key = ?')
      .pluck()
      .get(key);
    if (found === undefined) this.#take(now);
    else if (found !== owner) throw takenOver();
  }

  /** What an earlier attempt at this event wrote in the same step; undefined where it did not come so far. */
  earlier(step: string): ChainHead[] | undefined {
    const found = this.#file.database
      .prepare('SELECT heads FROM event_steps WHERE key = ? AND step = ?')
      .pluck()
      .get(this.#claim.key, this.#numbered(step));
    return typeof found === 'string' ? JSON.parse(found) : undefined;
  }

  /** In the transaction of the step itself. */
  note(step: string, heads: readonly ChainHead[], now: number): void {
    this.#file.database
      .prepare('INSERT INTO event_steps (key, step, heads, at) VALUES (?, ?, ?, ?)')
      .run(this.#claim.key, this.#numbered(step), JSON.stringify(heads), now);
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
  }

  /** Counts a step that an earlier attempt made. */
  skip(step: string): void {
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
  }

  #numbered(step: string): string {
    return `${step} ${this.#counts.get(step) ?? 0}`;
  }

  #take(now: number): void {
    const { key, owner } = this.#claim;
    this.#file.database
      .prepare(
        `INSERT INTO event_claims (key, owner, at) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET owner = excluded.owner`,
      )
      .run(key, owner, now);
  }
}

function takenOver(): GuardKitError {
  return new GuardKitError({
    code: 'event.taken-over',
    kind: 'refused',
    message: 'Another process answers this event by now.',
    hint: 'Nothing to do: its answer counts.',
  });
}
