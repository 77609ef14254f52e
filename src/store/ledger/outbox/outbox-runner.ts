import { setTimeout } from 'node:timers/promises';
import type { EpisodeStore } from '../../episode-store.ts';
import type { Ledger } from '../ledger.ts';
import { type DeliveryReport, deliverOutbox, type WaitingLine } from './deliver-outbox.ts';
import type { RefusedEntry } from './outbox.ts';

export type OutboxEvent =
  | { type: 'delivered'; entries: number; pending: number }
  | ({ type: 'refused' } & RefusedEntry)
  | ({ type: 'waiting' } & WaitingLine)
  | { type: 'away'; failure: Error; retryInMs: number };

export interface OutboxDelays {
  firstRetryMs: number;
  /** Each failure in a row doubles the delay up to this. */
  longestRetryMs: number;
  /** How often to check for entries of other processes, which cannot notify this one. */
  pollMs: number;
}

const DEFAULT_DELAYS: OutboxDelays = { firstRetryMs: 500, longestRetryMs: 60_000, pollMs: 5_000 };

/** Entries between two events. */
const BATCH = 1000;

/** Resolves after the time, or as soon as the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface OutboxRunnerOptions {
  ledger: Ledger;
  /** Called when there is something to deliver, and again after a failure. */
  openStore: () => Promise<Pick<EpisodeStore, 'upsertMany' | 'close'>>;
  onEvent?: (event: OutboxEvent) => void;
  delays?: Partial<OutboxDelays>;
  wait?: Wait;
}

/** Delivers the outbox in the background. Writers only call `notify`, which only wakes it. */
export class OutboxRunner {
  readonly #ledger: Ledger;
  readonly #openStore: OutboxRunnerOptions['openStore'];
  readonly #onEvent: (event: OutboxEvent) => void;
  readonly #delays: OutboxDelays;
  readonly #wait: Wait;
  #running: { loop: Promise<void>; stopping: AbortController } | undefined;
  #store: Pick<EpisodeStore, 'upsertMany' | 'close'> | undefined;
  #failures = 0;
  #notified = false;
  #wake: AbortController | undefined;
  /** The last reported entry of each waiting project, so that a poll does not report it again. */
  readonly #waiting = new Map<string, number>();

  constructor({
    ledger,
    openStore,
    onEvent = () => {},
    delays,
    wait = waitUnreferenced,
  }: OutboxRunnerOptions) {
    this.#ledger = ledger;
    this.#openStore = openStore;
    this.#onEvent = onEvent;
    this.#delays = { ...DEFAULT_DELAYS, ...delays };
    this.#wait = wait;
  }

  start(): void {
    if (this.#running) return;
    const stopping = new AbortController();
    this.#running = { loop: this.#run(stopping.signal), stopping };
  }

  /** Something was appended. While the store is unavailable, this does not shorten the retry delay. */
  notify(): void {
    this.#notified = true;
    if (this.#failures === 0) this.#wake?.abort();
  }

  /** Waits for the current entry, then closes the store; pending entries stay for the next run. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    running.stopping.abort();
    this.#wake?.abort();
    await running.loop;
    if (this.#running === running) this.#running = undefined;
  }

  async #run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      this.#notified = false;
      const pauseMs = await this.#round(stopping);
      const woken = this.#notified && this.#failures === 0;
      if (pauseMs > 0 && !woken && !stopping.aborted) await this.#pause(pauseMs);
    }
    await this.#closeStore();
  }

  async #pause(ms: number): Promise<void> {
    this.#wake = new AbortController();
    await this.#wait(ms, this.#wake.signal);
    this.#wake = undefined;
  }

  /** Returns how long to pause before the next round. */
  async #round(stopping: AbortSignal): Promise<number> {
    try {
      const report = await this.#deliver(stopping);
      if (report?.failure) return this.#backOff(report.failure);
      this.#failures = 0;
      const progress = report !== undefined && report.delivered + report.refused.length > 0;
      return progress && report.pending > 0 ? 0 : this.#delays.pollMs;
    } catch (error) {
      // The store could not be opened or the ledger not be read; both are reported and retried later.
      return this.#backOff(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #deliver(signal: AbortSignal): Promise<DeliveryReport | undefined> {
    if (this.#ledger.outbox.status().pending === 0) return undefined;
    this.#store ??= await this.#openStore();
    const report = await deliverOutbox(this.#ledger, this.#store, { signal, limit: BATCH });
    for (const entry of report.refused) this.#emit({ type: 'refused', ...entry });
    if (report.delivered > 0) {
      this.#emit({ type: 'delivered', entries: report.delivered, pending: report.pending });
    }
    for (const line of report.waiting) {
      if (this.#waiting.get(line.project) !== line.number) this.#emit({ type: 'waiting', ...line });
      this.#waiting.set(line.project, line.number);
    }
    return report;
  }

  async #backOff(failure: Error): Promise<number> {
    const { firstRetryMs, longestRetryMs } = this.#delays;
    const retryInMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    await this.#closeStore();
    this.#emit({ type: 'away', failure, retryInMs });
    return retryInMs;
  }

  async #closeStore(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    try {
      await store?.close();
    } catch {
      // A broken connection may fail to close too; the original failure has been reported.
    }
  }

  #emit(event: OutboxEvent): void {
    try {
      this.#onEvent(event);
    } catch {
      // A failing subscriber must not stop delivery; the outbox status has the same information.
    }
  }
}

async function waitUnreferenced(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal, ref: false });
  } catch {
    // Rejects only when woken early, which is one of the two ways to end.
  }
}
