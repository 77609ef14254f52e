import { allProcesses, environmentOf, readProcess } from '../../platform/process-table.ts';
import type { WatchTables } from '../../store/ledger/watch-tables.ts';
import { type AgentMarks, agentMarks } from './agent-marks.ts';
import { newWindow } from './new-window.ts';
import { type AgentSession, knownSessions } from './sessions.ts';
import type { WatchArea } from './watch-areas.ts';
import type { WatchPlace } from './watch-place.ts';
import type { ActionWindow } from './window.ts';

const MAX_ANCESTORS = 64;

/**
 * A window for something of an agent that runs although no window says so, as somebody may have taken it away. Looked for
 * only where something is about to be taken for a person's: it reads the environment of every process.
 */
export function findStray(
  place: WatchPlace,
  tables: WatchTables,
  { kind, folder }: Pick<WatchArea, 'kind' | 'folder'>,
): ActionWindow | undefined {
  const sessions = knownSessions(tables).filter(({ checkout }) => kind !== 'checkout' || checkout === folder);
  const wanted = sessions.flatMap((session) => {
    const marks = agentMarks(session.agent);
    return marks ? [{ session, marks, entry: `${marks.session}=${session.session}` }] : [];
  });
  if (wanted.length === 0) return undefined;
  const own = ownProcesses();
  for (const pid of allProcesses()) {
    if (own.has(pid)) continue;
    const environment = environmentOf(pid);
    const found = wanted.find(
      ({ entry, session, marks }) => environment.includes(entry) && isOf(session, marks, environment),
    );
    if (found) return strayWindow(place, found.session);
  }
  return undefined;
}

/** Not a hook or a server of the agent's program, and of the same program as the session. */
function isOf({ process }: AgentSession, marks: AgentMarks, environment: readonly string[]): boolean {
  const value = (name: string) =>
    environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const of = value(marks.process);
  if (of !== undefined && process !== null && of !== String(process.pid)) return false;
  return value(marks.own[0])?.endsWith(marks.own[1]) !== true;
}

function ownProcesses(): Set<number> {
  const own = new Set<number>();
  for (let pid = process.pid; pid > 1 && own.size < MAX_ANCESTORS; pid = readProcess(pid)?.parent ?? 0)
    own.add(pid);
  return own;
}

function strayWindow(place: WatchPlace, { session, agent, process }: AgentSession): ActionWindow {
  return newWindow(place, {
    session,
    action: 'left running',
    agent,
    agentProcess: process ?? undefined,
    runs: true,
    summary: 'something that an action left running',
  });
}
