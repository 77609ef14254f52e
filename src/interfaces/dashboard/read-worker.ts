import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../enforcement/install/own-package.ts';
import { END_OF_WORK, endThread } from '../../platform/processes/end-of-work.ts';
import type { ReadAnswer, ReadRequest } from './api/read-request.ts';

const IDLE_MS = 60_000;
/** `doctor` starts every hook. */
const MAX_ANSWER_MS = 120_000;
/** A thread that has not ended by then is ended. */
const MAX_END_MS = 2000;
/** A thread that needs more ends alone, not with its process. */
const LIMITS = { maxOldGenerationSizeMb: 1024 };

const FAILED: ReadAnswer = {
  status: 503,
  body: JSON.stringify({
    error: { code: 'dashboard.failed', message: 'The reading thread ended.', hint: 'Reload the page.' },
  }),
};

/** Reads that take seconds. */
const SLOW: ReadonlySet<string> = new Set(['architecture', 'guard', 'health']);

/** Two threads, so that slow reads do not delay the others. */
export class ReadWorkers {
  readonly #quick: ReadWorker;
  readonly #slow: ReadWorker;

  constructor(dataFolder: string) {
    this.#quick = new ReadWorker(dataFolder);
    this.#slow = new ReadWorker(dataFolder);
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    return (SLOW.has(request.name) ? this.#slow : this.#quick).read(request);
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick.close(), this.#slow.close()]);
  }
}

/** One thread that answers reads. It starts on demand and ends when nobody reads. */
class ReadWorker {
  readonly #dataFolder: string;
  readonly #waiting = new Map<number, (answer: ReadAnswer) => void>();
  #worker: Worker | undefined;
  #last = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  read(request: ReadRequest): Promise<ReadAnswer> {
    clearTimeout(this.#idle);
    const worker = this.#started();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const late = setTimeout(() => void this.close(), MAX_ANSWER_MS).unref();
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      worker.postMessage({ id, request });
    });
  }

  /** Until the thread has ended: a process must not end while its database is open. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    const isBusy = this.#waiting.size > 0;
    this.#failAll();
    if (!worker) return;
    // A thread that hangs cannot end by itself.
    const ask = () => (isBusy ? void worker.terminate() : worker.postMessage(END_OF_WORK));
    await endThread(worker, ask, MAX_END_MS);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(dashboardWorkerFile(), {
      workerData: { dataFolder: this.#dataFolder, role: 'read' },
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
    });
    worker.unref();
    worker.on('message', ({ id, answer }: { id: number; answer: ReadAnswer }) => this.#settle(id, answer));
    const ended = () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#failAll();
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    this.#worker = worker;
    return worker;
  }

  #settle(id: number, answer: ReadAnswer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  #failAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, FAILED);
  }
}

export function dashboardWorkerFile(): string {
  const file = join(packageFolder(), 'dist', 'dashboard-worker.cjs');
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  return file;
}
