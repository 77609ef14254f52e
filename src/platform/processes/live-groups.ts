import { signalGroup } from './end-processes.ts';

/** From a person or a system that ends a program. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const live = new Set<LiveGroup>();

/**
 * A process group that is ended if GuardKit ends first. Create it before its first process starts: otherwise a signal in
 * between would end GuardKit and leave the process running.
 */
export class LiveGroup {
  id: number | undefined;

  constructor() {
    if (live.size === 0) listen();
    live.add(this);
  }

  ended(): void {
    if (live.delete(this) && live.size === 0) unlisten();
  }
}

function listen(): void {
  process.on('exit', killAll);
  for (const signal of ENDING_SIGNALS) process.on(signal, endBySignal);
}

function unlisten(): void {
  process.off('exit', killAll);
  for (const signal of ENDING_SIGNALS) process.off(signal, endBySignal);
}

function killAll(): void {
  for (const { id } of live) if (id !== undefined) signalGroup(id, 'SIGKILL');
}

/** Other listeners decide what the signal means; without any, it ends this process as usual. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
