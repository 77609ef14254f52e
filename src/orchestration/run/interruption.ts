import type { Clock } from '../../platform/clock.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import type { Session } from '../session/session.ts';
import { readKeptSession } from '../session-record/kept-session.ts';

/** Why work was interrupted. */
export type Interrupted =
  /** A person or a signal. */
  | 'signal'
  /** The time limit is reached. */
  | 'until'
  /** Another process paused or abandoned the session, or removed the feature. */
  | 'elsewhere'
  /** The session machine left the phase. */
  | 'machine';

const LOOK_EVERY_MS = 1000;
const LONGEST_TIMER_MS = 60 * 60_000;

interface Watched {
  ledger: Ledger;
  project: string;
  clock: Clock;
  signal: AbortSignal;
}

/** Aborts work for the first reason that occurs. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #watched: Watched;
  readonly #session: Session;
  readonly #timers: NodeJS.Timeout[] = [];
  #because: Interrupted | undefined;

  /** `session` is the state when the work began; `until` is the time limit. */
  constructor(watched: Watched, session: Session, until: string | null) {
    this.#watched = watched;
    this.#session = session;
    watched.signal.addEventListener('abort', this.#onSignal);
    if (watched.signal.aborted) this.#onSignal();
    this.#timers.push(setInterval(() => this.#look(), LOOK_EVERY_MS).unref());
    if (until !== null) this.#endAt(Date.parse(until));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get because(): Interrupted | undefined {
    return this.#because;
  }

  stop(because: Interrupted): void {
    this.#because ??= because;
    this.#controller.abort();
  }

  forget(): void {
    this.#watched.signal.removeEventListener('abort', this.#onSignal);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  readonly #onSignal = () => this.stop('signal');

  /** In pieces: a timer of more than 24 days would fire at once. */
  #endAt(until: number): void {
    const left = until - this.#watched.clock();
    if (left <= 0) this.stop('until');
    else this.#timers.push(setTimeout(() => this.#endAt(until), Math.min(left, LONGEST_TIMER_MS)).unref());
  }

  #look(): void {
    const { ledger, project } = this.#watched;
    const { session: id, feature, attempt } = this.#session;
    try {
      const now = readKeptSession(ledger, project, id)?.session;
      const isSame =
        now?.feature === feature &&
        now?.attempt === attempt &&
        (now.phase === this.#session.phase || now.phase === 'waiting');
      if (!isSame || (feature !== null && !readFeature(ledger, project, feature))) this.stop('elsewhere');
    } catch {
      // Safe: a busy ledger is read again in a second, and writes report other errors.
    }
  }
}
