import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { GuardKitError } from '../../guardkit-error.ts';
import type { PostgresDatabase } from '../postgres/postgres-database.ts';
import type { Claim } from './chain-append.ts';
import { claimKey } from './claims.ts';
import {
  ANSWER_MS,
  BEAT_MS,
  type SessionCommand,
  type SessionNews,
  type SessionSettings,
} from './session-thread.ts';
import { endWorker, type NewWorker } from './workers.ts';

/** A worker's sign of life, which a thread of its own keeps up (`session-thread.ts`). */
export class WorkerSession {
  readonly id: string;
  /** Its number on the server, and the key of its lock. */
  lock = 0;
  readonly #database: PostgresDatabase;
  readonly #thread: Worker;
  readonly #pulse: NodeJS.Timeout;
  readonly #building = new Map<string, AbortController>();
  readonly #onDead: () => void;
  #isEnded = false;

  private constructor({ url, database, thread }: SessionContext, worker: NewWorker, onDead: () => void) {
    this.id = worker.id;
    this.#database = database;
    this.#onDead = onDead;
    const pulse = new Int32Array(new SharedArrayBuffer(4));
    const settings: SessionSettings = { url, location: database.location, worker, pulse };
    this.#thread = new Worker(thread, { workerData: settings });
    this.#pulse = setInterval(() => Atomics.add(pulse, 0, 1), BEAT_MS);
  }

  /** `onDead` is called once, when other workers have declared this one dead. */
  static async start(context: SessionContext, worker: NewWorker, onDead: () => void): Promise<WorkerSession> {
    const session = new WorkerSession(context, worker, onDead);
    try {
      session.lock = await session.#connected();
    } catch (error) {
      // Safe to fail: without a heartbeat it counts as dead.
      await session.end('did not start').catch(() => undefined);
      throw error;
    }
    session.#thread.on('message', (news: SessionNews) => session.#hear(news));
    // Without the thread nobody sends heartbeats.
    session.#thread.on('error', () => session.#die());
    return session;
  }

  async #connected(): Promise<number> {
    const [news] = (await once(this.#thread, 'message')) as [SessionNews];
    if (news.type === 'connected') return news.lock;
    throw news.type === 'failed' ? new GuardKitError(news.error) : new Error(`unexpected news: ${news.type}`);
  }

  #hear(news: SessionNews): void {
    if (news.type === 'dead') this.#die();
    if (news.type === 'lost') for (const claim of news.claims) this.#building.get(claim)?.abort();
  }

  /** Aborts the returned signal when the claim is lost. */
  watch(claim: Claim): { signal: AbortSignal; forget(): void } {
    const controller = new AbortController();
    const key = claimKey(claim);
    this.#building.set(key, controller);
    this.#ask({ watch: key });
    return {
      signal: controller.signal,
      forget: () => {
        this.#building.delete(key);
        this.#ask({ forget: key });
      },
    };
  }

  async end(why: string): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#pulse);
    try {
      await endWorker(this.#database, this.id, why);
    } finally {
      // Its end is waited for: the lock is free only then.
      const ended = once(this.#thread, 'exit');
      this.#ask({ end: true });
      await Promise.race([ended, sleep(ANSWER_MS, undefined, { ref: false })]);
      await this.#thread.terminate();
    }
  }

  #ask(command: SessionCommand): void {
    this.#thread.postMessage(command);
  }

  #die(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#pulse);
    for (const controller of this.#building.values()) controller.abort();
    void this.#thread.terminate();
    this.#onDead();
  }
}

interface SessionContext {
  url: string;
  database: PostgresDatabase;
  /** The script of the thread. */
  thread: string;
}
