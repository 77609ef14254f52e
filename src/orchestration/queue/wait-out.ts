import { setTimeout as sleep } from 'node:timers/promises';
import { passes, waitBefore } from './failed-build.ts';

const PATIENCE_MS = 60_000;

/**
 * Repeats work that other work depends on while the server or the remote is away, at most for a while. Throws the last error
 * if they stay away, or once the signal is aborted.
 */
export async function waitOut<Result>(
  work: () => Promise<Result>,
  {
    signal,
    patienceMs = PATIENCE_MS,
    onWait,
  }: { signal: AbortSignal | undefined; patienceMs?: number; onWait?: (why: string) => void },
): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || signal?.aborted || performance.now() > end) throw error;
      if (tries === 1 && error instanceof Error) onWait?.(error.message);
      await sleep(waitBefore(tries), undefined, signal ? { signal } : {}).catch(() => undefined);
    }
  }
}
