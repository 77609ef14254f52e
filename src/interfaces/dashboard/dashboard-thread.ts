import { Worker } from 'node:worker_threads';
import type { BrokerAtWork } from '../../enforcement/broker/serve-agents.ts';
import { END_OF_WORK, endThread } from '../../platform/processes/end-of-work.ts';
import { dashboardWorkerFile } from './read-worker.ts';
import type { ThreadReport, ThreadRequest } from './serve-in-thread.ts';

type Opened = Extract<ThreadReport, { type: 'opened' | 'failed' }>;

/** A thread that needs more ends alone, not with its process. */
const LIMITS = { maxOldGenerationSizeMb: 256 };
/** A thread that has not ended by then is ended. */
const MAX_END_MS = 5000;
const REOPEN_MS = 5000;

const ENDED: Extract<Opened, { type: 'failed' }> = {
  type: 'failed',
  code: 'dashboard.failed',
  message: 'The dashboard’s thread exited unexpectedly.',
  hint: 'Run `guardkit ui` again.',
};

/** The thread that serves the dashboard. It starts on demand; an open page keeps the process alive. */
export class DashboardThread {
  readonly #dataFolder: string;
  readonly #count: BrokerAtWork['count'];
  #worker: Worker | undefined;
  #waiting: ((opened: Opened) => void)[] = [];
  #release: (() => void) | undefined;
  #isRetiring = false;

  constructor(dataFolder: string, count: BrokerAtWork['count']) {
    this.#dataFolder = dataFolder;
    this.#count = count;
  }

  /** Never throws: it must not end the process that answers hooks. */
  async open(port: number | undefined): Promise<Opened> {
    if (this.#isRetiring) return ENDED;
    let worker: Worker;
    try {
      worker = this.#started();
    } catch (error) {
      return { ...ENDED, message: error instanceof Error ? error.message : String(error) };
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      send(worker, { type: 'open', port });
    });
  }

  retire(): void {
    this.#isRetiring = true;
    if (this.#worker) send(this.#worker, { type: 'retire' });
  }

  async close(): Promise<void> {
    this.#isRetiring = true;
    const worker = this.#worker;
    if (worker) await endThread(worker, () => send(worker, { type: END_OF_WORK }), MAX_END_MS);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(dashboardWorkerFile(), {
      workerData: { dataFolder: this.#dataFolder, role: 'serve' },
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
    });
    worker.unref();
    worker.on('message', (report: ThreadReport) => {
      if (report.type === 'busy') this.#setBusy(report.isBusy);
      else this.#waiting.shift()?.(report);
    });
    const ended = () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#setBusy(false);
      for (const settle of this.#waiting.splice(0)) settle(ENDED);
      // Open pages wait for it.
      if (!this.#isRetiring) setTimeout(() => void this.open(undefined), REOPEN_MS).unref();
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    this.#worker = worker;
    return worker;
  }

  #setBusy(isBusy: boolean): void {
    if (isBusy && !this.#release) {
      void this.#count(
        new Promise<void>((resolve) => {
          this.#release = resolve;
        }),
      );
    } else if (!isBusy) {
      this.#release?.();
      this.#release = undefined;
    }
  }
}

function send(worker: Worker, request: ThreadRequest): void {
  worker.postMessage(request);
}
