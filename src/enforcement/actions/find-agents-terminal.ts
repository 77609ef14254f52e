import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgramOf } from '../../platform/processes/person.ts';
import type { ProcessRow } from '../../platform/processes/process-row.ts';
import { allProcesses, isRunning, readProcess } from '../../platform/processes/process-table.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { markedLedger } from '../install/ledger-mark.ts';
import { isAdopter, isDuring, orphans } from './leftover-processes.ts';
import { type AgentAction, readActions } from './open-actions.ts';

const MAX_ANCESTORS = 64;

/** Any process of the same user can have these type into a terminal that was open long before. */
const MULTIPLEXERS = /^(?:tmux(?:: server)?|screen|zellij|dtach|abduco)$/i;

/**
 * Why this command may be an agent's although no process above it shows that: without a sandbox, an agent can cut all ties
 * and open a terminal of its own, but not before it acts. Undefined for a terminal that was there first, and where every
 * agent's commands run in the shell wrapper.
 */
export function findAgentsTerminal(dataFolder: string): string | undefined {
  const above = ancestors(process.pid, readProcess);
  const known = knownActions(dataFolder);
  if (!known.ok) return judgeUntold(above, runningAgents(), known.why);
  return judgeTerminal(above, known.actions, orphans);
}

type KnownActions = { ok: true; actions: readonly AgentAction[] } | { ok: false; why: string };

/** The actions in the ledger. A ledger that is gone or was exchanged proves nothing. */
function knownActions(dataFolder: string): KnownActions {
  const path = join(dataFolder, 'ledger.db');
  const marked = markedLedger(dataFolder);
  if (!existsSync(path))
    return marked === undefined ? { ok: true, actions: [] } : { ok: false, why: 'the ledger is gone' };
  try {
    const ledger = openLedger({ path });
    try {
      if (marked !== undefined && marked !== ledger.file.id)
        return { ok: false, why: 'the ledger is another one than before' };
      return { ok: true, actions: readActions(new WatchTables(ledger)).filter(isOfLiveAgent) };
    } finally {
      ledger.close();
    }
  } catch (error) {
    return {
      ok: false,
      why: `the ledger cannot be read (${error instanceof Error ? error.message : error})`,
    };
  }
}

/** Once an agent has exited, nothing it did makes a terminal its own. */
function isOfLiveAgent({ body }: AgentAction): boolean {
  return body.agent_process === null || isRunning(body.agent_process);
}

/** A coding agent's program that runs somewhere on this machine. */
export interface RunningAgent {
  pid: number;
  started: number;
  program: string;
}

function runningAgents(): RunningAgent[] {
  return allProcesses().flatMap((pid) => {
    const program = agentProgramOf(pid);
    const row = program === undefined ? undefined : readProcess(pid);
    return program && row ? [{ pid, started: row.started, program }] : [];
  });
}

/** Where nobody can say what agents have begun, whatever came up after one of them may be its own. Pure. */
export function judgeUntold(
  { rows, fromOutside }: ReturnType<typeof ancestors>,
  agents: readonly RunningAgent[],
  why: string,
): string | undefined {
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  const before = agents.find(({ pid, started }) => pid !== top.pid && started <= top.started);
  return (
    before &&
    `${why}, so that nobody can tell whether ${before.program} (process ${before.pid}) started this: end it first, or use a terminal that was open before it`
  );
}

/** From a process up to what the system itself runs: the last of them is what stands by itself. */
export function ancestors(
  first: number,
  find: (pid: number) => ProcessRow | undefined,
): { rows: ProcessRow[]; fromOutside: boolean } {
  const rows: ProcessRow[] = [];
  for (let row = find(first); row && rows.length < MAX_ANCESTORS; row = find(row.parent)) {
    if (row.pid === 1 || (rows.length > 0 && isAdopter(row.name))) break;
    rows.push(row);
  }
  // Brought into this container by something around it, where no agent in it can reach.
  return { rows, fromOutside: rows.at(-1)?.parent === 0 };
}

/** Pure but for the look at orphans, which is only made if an agent has acted without a sandbox. */
export function judgeTerminal(
  { rows, fromOutside }: ReturnType<typeof ancestors>,
  actions: readonly AgentAction[],
  findOrphans: () => readonly ProcessRow[],
): string | undefined {
  const loose = actions.filter(
    ({ body }) => body.runs && body.mark !== null && body.confined !== true && body.wrapped !== true,
  );
  if (loose.length === 0) return undefined;
  const typing = loose.find(({ body }) => body.ended_at === undefined);
  const shared = rows.find(({ name }) => MULTIPLEXERS.test(name));
  if (shared && typing)
    return `${shared.name} lets other programs type into this terminal, and ${whose(typing)} is acting: use a terminal outside of it, or wait until the action ends`;
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  const during = loose.find((action) => isDuring(top.started, action));
  if (during)
    return `this terminal was opened while ${whose(during)} was acting and may be the agent's own: use one that was open before, or end the agent`;
  const left = findOrphans().find(
    (row) => row.started <= top.started && loose.some((action) => isDuring(row.started, action)),
  );
  return (
    left &&
    `process ${left.pid} (${left.name}) was started during an agent's action and may have opened this terminal: end it, or use a terminal that was open before`
  );
}

function whose({ session, body: { agent } }: AgentAction): string {
  return `${agent} ${session.slice(0, 8)}`;
}
