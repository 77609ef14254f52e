import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../enforcement/install/own-package.ts';
import type { HookReply } from './answer-hooks.ts';
import type { HookRequest } from './hook-request.ts';

/** A worker costs about 10 MB. */
const MAX_WORKERS = 8;
const IDLE_MS = 5 * 60_000;

interface Waiting {
  resolve(reply: HookReply): void;
  reject(error: Error): void;
}

/** One thread a checkout: an event that takes long delays only its own project. */
export class HookWorkers {
  readonly #workers = new Map<string, HookWorker>();
  readonly #dataFolder: string;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  answer(request: HookRequest): Promise<HookReply> {
    const key = request.env.CLAUDE_PROJECT_DIR ?? request.cwd;
    return this.#workerFor(key).answer(request);
  }

  close(): void {
    for (const worker of this.#workers.values()) worker.end();
    this.#workers.clear();
  }

  #workerFor(key: string): HookWorker {
    const known = this.#workers.get(key);
    if (known) return known;
    if (this.#workers.size >= MAX_WORKERS) this.#endLongestIdle();
    const forget = () => {
      if (this.#workers.get(key) === made) this.#workers.delete(key);
    };
    const made = new HookWorker(this.#dataFolder, forget);
    this.#workers.set(key, made);
    return made;
  }

  #endLongestIdle(): void {
    const idle = [...this.#workers.values()].filter(({ isIdle }) => isIdle);
    idle.sort((one, other) => one.lastUsed - other.lastUsed)[0]?.end();
  }
}

class HookWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #idle: NodeJS.Timeout | undefined;
  lastUsed = Date.now();

  constructor(dataFolder: string, onEnd: () => void) {
    const workerData = { dataFolder };
    this.#worker = new Worker(workerFile(), { workerData, env: {}, stdout: true, stderr: true });
    this.#worker.unref();
    this.#worker.on('message', ({ id, reply }: { id: number; reply: HookReply }) =>
      this.#settle(id, ({ resolve }) => resolve(reply)),
    );
    const ended = (error: Error) => {
      onEnd();
      for (const id of [...this.#waiting.keys()]) this.#settle(id, ({ reject }) => reject(error));
    };
    this.#worker.on('error', (error) => ended(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => ended(new Error('the worker ended')));
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  answer(request: HookRequest): Promise<HookReply> {
    clearTimeout(this.#idle);
    this.lastUsed = Date.now();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
  }

  end(): void {
    clearTimeout(this.#idle);
    void this.#worker.terminate();
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) settle(waiting);
    if (this.isIdle) this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }
}

function workerFile(): string {
  const file = join(packageFolder(), 'dist', 'hook-worker.cjs');
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  return file;
}
