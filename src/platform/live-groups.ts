import { signalGroup } from './end-processes.ts';

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const groups = new Set<number>();

/** Ends this process group should GuardKit itself end first; call the answer when the group is done. */
export function trackGroup(group: number): () => void {
  if (groups.size === 0) listen();
  groups.add(group);
  return () => {
    if (groups.delete(group) && groups.size === 0) unlisten();
  };
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
  for (const group of groups) signalGroup(group, 'SIGKILL');
}

/** Whoever else listens decides what the signal means; if nobody does, it ends this process as it would have. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
