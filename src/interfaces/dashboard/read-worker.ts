import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../enforcement/install/own-package.ts';
import { END_OF_WORK } from '../../platform/processes/end-of-work.ts';
import type { ReadAnswer, ReadRequest } from './api/read-request.ts';

const IDLE_MS = 60_000;
/** `doctor` starts every hook. */
const MAX_ANSWER_MS = 120_000;

const FAILED: ReadAnswer = {
  status: 503,
  body: JSON.stringify({
    error: { code: 'dashboard.failed', message: 'The reading thread ended.', hint: 'Reload the page.' },
  }),
};

/** One thread that answers reads. It starts on demand and ends when nobody reads. */
export class ReadWorker {
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
      const late = setTimeout(() => this.close(), MAX_ANSWER_MS).unref();
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      worker.postMessage({ id, request });
    });
  }

  close(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    // A thread that hangs cannot end by itself.
    if (this.#waiting.size === 0) worker?.postMessage(END_OF_WORK);
    else void worker?.terminate();
    this.#failAll();
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const file = join(packageFolder(), 'dist', 'dashboard-worker.cjs');
    if (!existsSync(file)) throw new Error(`${file} is missing`);
    const worker = new Worker(file, {
      workerData: { dataFolder: this.#dataFolder },
      stdout: true,
      stderr: true,
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
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #failAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, FAILED);
  }
}
