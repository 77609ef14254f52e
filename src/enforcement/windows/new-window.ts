import type { ProcessId } from '../../platform/process-row.ts';
import { markProcesses } from '../../platform/process-table.ts';
import { repositoryFolder, type WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

export interface Opening {
  session: string;
  /** The agent's own id of the action. */
  action: string;
  agent: string;
  agentType?: string | undefined;
  agentId?: string | undefined;
  /** The agent's own program, if that is known. */
  agentProcess?: ProcessId | undefined;
  /** It may start programs: a command, a tool of another program. Not an edit by the agent's program itself. */
  runs: boolean;
  /** It asks the system to run something later; see `schedulesWork`. */
  schedules?: boolean;
  /** A sandbox keeps it, and all that it starts, in its checkout. */
  confined?: boolean;
  /** One line, without secrets. */
  summary: string;
}

/** As it is when the action begins. */
export function newWindow(place: WatchPlace, opening: Opening): ActionWindow {
  const { project, checkout } = place;
  const {
    session,
    action,
    agent,
    agentType,
    agentId,
    agentProcess,
    runs,
    schedules = false,
    confined = false,
    summary,
  } = opening;
  return {
    project,
    checkout,
    session,
    action,
    opened_at: Date.now(),
    body: {
      agent,
      agent_type: agentType ?? null,
      agent_id: agentId ?? null,
      runs,
      summary: summary.slice(0, 500),
      repository: repositoryFolder(place),
      confined,
      agent_process: agentProcess ? { pid: agentProcess.pid, started: agentProcess.started } : null,
      mark: runs ? markProcesses() : null,
      state: 'open',
      scheduled: schedules,
      processes: [],
    },
  };
}
