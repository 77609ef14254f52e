import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../enforcement/install/own-package.ts';
import { END_OF_WORK, endThread } from '../../platform/processes/end-of-work.ts';
import type { HookReply } from './answer-hooks.ts';
import type { HookRequest } from './hook-request.ts';

/** A worker costs 20 to 30 MB. More than there are processors help only if some hang. */
const MAX_WORKERS = Math.min(8, availableParallelism() + 2);
/**
 * If every worker has been at one event for this long, those that wait get a new worker: a slow project does not hold up the
 * others. A crowd of quick events does not: starting a worker takes longer than answering twenty of them.
 */
const PATIENCE_MS = 100;
/** A worker that hangs this long is given up; the client then asks the cold launcher. */
const MAX_ANSWER_MS = 30_000;
/** A worker that has not ended by then is ended. */
const MAX_RETIRE_MS = 2000;
/** All but the first end after this long without work. */
const IDLE_MS = 60_000;
/** Small, because events leave little behind. A worker that needs more ends, and its client asks the cold launcher. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

interface Waiting {
  request: HookRequest;
  resolve(reply: HookReply): void;
  reject(error: Error): void;
}

/** Threads that answer events, one at a time each. */
export class HookWorkers {
  readonly #dataFolder: string;
  readonly #workers = new Set<HookWorker>();
  #queue: Waiting[] = [];

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.#start();
  }

  answer(request: HookRequest): Promise<HookReply> {
    return new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      this.#queue.push(waiting);
      this.#dispatch();
      this.#help(waiting);
    });
  }

  /** Until every thread has ended: a process must not end while one has its database open. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.close()));
  }

  #dispatch(): void {
    for (const worker of this.#workers) {
      if (!worker.isIdle) continue;
      const next = this.#queue.shift();
      if (!next) return;
      worker.answer(next);
    }
  }

  #help(waiting: Waiting): void {
    if (!this.#queue.includes(waiting)) return;
    const busy = [...this.#workers].map((worker) => worker.busyMs);
    if (this.#workers.size < MAX_WORKERS && busy.every((ms) => ms >= PATIENCE_MS)) {
      this.#start();
      this.#dispatch();
    }
    if (this.#queue.includes(waiting)) setTimeout(() => this.#help(waiting), PATIENCE_MS / 4);
  }

  #start(): void {
    const worker: HookWorker = new HookWorker(this.#dataFolder, {
      free: () => this.#dispatch(),
      idle: () => this.#workers.size > 1,
      ended: () => {
        this.#workers.delete(worker);
      },
    });
    this.#workers.add(worker);
  }
}

interface WorkerEvents {
  free(): void;
  /** Whether a worker without work ends. */
  idle(): boolean;
  ended(): void;
}

class HookWorker {
  readonly #worker: Worker;
  readonly #events: WorkerEvents;
  #current: Waiting | undefined;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(dataFolder: string, events: WorkerEvents) {
    this.#events = events;
    this.#worker = new Worker(workerFile(), {
      workerData: { dataFolder },
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: HookReply) => this.#settle(({ resolve }) => resolve(reply)));
    const ended = (error: Error) => {
      events.ended();
      this.#settle(({ reject }) => reject(error));
    };
    this.#worker.on('error', (error) => ended(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => ended(new Error('the worker ended')));
  }

  get isIdle(): boolean {
    return this.#current === undefined;
  }

  /** How long it has been at its event. */
  get busyMs(): number {
    return this.isIdle ? 0 : performance.now() - this.#since;
  }

  answer(waiting: Waiting): void {
    clearTimeout(this.#timer);
    this.#current = waiting;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.end(), MAX_ANSWER_MS).unref();
    this.#worker.postMessage(waiting.request);
  }

  /** It ends by itself. */
  retire(): void {
    clearTimeout(this.#timer);
    this.#events.ended();
    this.#worker.postMessage(END_OF_WORK);
  }

  /** Lets it end by itself, if it can. */
  async close(): Promise<void> {
    await endThread(this.#worker, () => (this.isIdle ? this.retire() : this.end()), MAX_RETIRE_MS);
  }

  /** It hangs. Its client asks the cold launcher. */
  end(): void {
    clearTimeout(this.#timer);
    this.#events.ended();
    void this.#worker.terminate();
    this.#settle(({ reject }) => reject(new Error('the worker was given up')));
  }

  #settle(settle: (waiting: Waiting) => void): void {
    const current = this.#current;
    if (!current) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    settle(current);
    this.#timer = setTimeout(() => {
      if (this.isIdle && this.#events.idle()) this.retire();
    }, IDLE_MS).unref();
    this.#events.free();
  }
}

function workerFile(): string {
  const file = join(packageFolder(), 'dist', 'hook-worker.cjs');
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  return file;
}
