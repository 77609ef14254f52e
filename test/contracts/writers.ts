import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { buildWorker, type RunningWorker, runWorker } from '../support/worker.ts';
import type { Acknowledged, WriteOrder } from './write-worker.ts';

const ENTRY = fileURLToPath(new URL('./write-worker.ts', import.meta.url));

export interface Writer {
  worker: RunningWorker;
  /** The store is open in that process. */
  ready: Promise<void>;
  acknowledged: Acknowledged[];
  begin(): void;
  /** Resolves with what was acknowledged, once the process has ended. */
  finished(): Promise<Acknowledged[]>;
  /** Kills the process as soon as it has acknowledged that many writes. */
  killAfter(writes: number): Promise<Acknowledged[]>;
  /** Resolves when the process has acknowledged that many writes. */
  reached(writes: number): Promise<void>;
}

/** Starts a process that opens the store and waits for `begin`. */
export async function startWriter(order: WriteOrder): Promise<Writer> {
  const acknowledged: Acknowledged[] = [];
  const waiting: { writes: number; resolve: () => void }[] = [];
  let ended = false;
  let opened = () => {};
  const ready = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const worker = runWorker(await buildWorker(ENTRY), [JSON.stringify(order)], {
    onLine: (line) => {
      if (line === 'ready') return opened();
      acknowledged.push(JSON.parse(line));
      for (const { writes, resolve } of waiting) if (acknowledged.length >= writes) resolve();
    },
  });
  // A process that fails must not leave the test waiting.
  void worker.done.then(() => {
    ended = true;
    opened();
    for (const { resolve } of waiting) resolve();
  });
  const reached = (writes: number) =>
    new Promise<void>((resolve) => {
      if (ended) resolve();
      else waiting.push({ writes, resolve });
    });
  return {
    worker,
    ready,
    acknowledged,
    reached,
    begin: () => void worker.child.stdin?.write('begin\n'),
    async finished() {
      const { code, stderr } = await worker.done;
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return acknowledged;
    },
    async killAfter(writes) {
      await reached(writes);
      worker.child.kill('SIGKILL');
      const { signal, stderr } = await worker.done;
      expect(stderr).toBe('');
      expect(signal).toBe('SIGKILL');
      return acknowledged;
    },
  };
}
