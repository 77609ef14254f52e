import type { ProcessId } from '../../platform/process-row.ts';
import { findLeftBehind } from './left-behind.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

/** What the actions of windows have left running; a window of which nothing runs is not among them. */
export function leftRunning(
  { dataFolder }: WatchPlace,
  windows: readonly ActionWindow[],
  orphans: (window: ActionWindow) => boolean,
): ReadonlyMap<ActionWindow, ProcessId[]> {
  const asked = windows.flatMap((window) => {
    const { session, body } = window;
    if (!body.mark) return [];
    const { agent, mark, agent_process } = body;
    const agentPid = agent_process?.pid;
    return [{ window, agent, session, agentPid, mark, orphans: orphans(window), dataFolder }];
  });
  const found = findLeftBehind(asked);
  const left = new Map<ActionWindow, ProcessId[]>();
  for (const [index, { window }] of asked.entries()) {
    const processes = found[index] ?? [];
    if (processes.length > 0) left.set(window, processes);
  }
  return left;
}
