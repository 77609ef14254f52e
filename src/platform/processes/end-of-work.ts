import type { Worker } from 'node:worker_threads';

/**
 * Tells a worker thread to close its database and to end by itself. To end a thread from outside while its database is
 * open is not safe.
 */
export const END_OF_WORK = 'end';

/** Asks a thread to end and waits until it has; one that has not ended in time is ended. */
export async function endThread(worker: Worker, ask: () => void, maxMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.ref();
  ask();
  const late = setTimeout(() => void worker.terminate(), maxMs);
  await ended;
  clearTimeout(late);
}
