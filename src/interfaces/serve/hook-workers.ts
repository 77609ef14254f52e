import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../enforcement/install/own-package.ts';
import { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import type { HookReply } from './answer-hooks.ts';
import type { HookRequest } from './hook-request.ts';

/** A worker costs 20 to 30 MB. More than there are processors help only if some hang. */
const MAX_WORKERS = Math.min(8, availableParallelism() + 2);
/** An event that has waited this long for a worker gets a new one: a slow project does not hold up the others. */
const PATIENCE_MS = 20;
/** A worker that hangs this long is given up; the client then asks the cold launcher. */
const MAX_ANSWER_MS = 30_000;
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
      if (this.#queue.includes(waiting))
        setTimeout(() => this.#help(waiting), this.#workers.size === 0 ? 0 : PATIENCE_MS);
    });
  }

  close(): void {
    for (const worker of this.#workers) {
      if (worker.isIdle) worker.retire();
      else worker.end();
    }
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
    if (this.#workers.size < MAX_WORKERS) this.#start();
    this.#dispatch();
    if (this.#queue.includes(waiting)) setTimeout(() => this.#help(waiting), PATIENCE_MS);
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

  answer(waiting: Waiting): void {
    clearTimeout(this.#timer);
    this.#current = waiting;
    this.#timer = setTimeout(() => this.end(), MAX_ANSWER_MS).unref();
    this.#worker.postMessage(waiting.request);
  }

  /** It ends by itself. */
  retire(): void {
    clearTimeout(this.#timer);
    this.#events.ended();
    this.#worker.postMessage(END_OF_WORK);
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
