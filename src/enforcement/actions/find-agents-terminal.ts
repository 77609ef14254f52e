import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgramOf } from '../../platform/processes/person.ts';
import type { ProcessRow } from '../../platform/processes/process-row.ts';
import { allProcesses, isRunning, readProcess } from '../../platform/processes/process-table.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { markedLedger } from '../install/ledger-mark.ts';
import { isAdopter, isDuring, orphans } from './agents-at-work.ts';
import { type AgentAction, readActions } from './open-actions.ts';

const MAX_ANCESTORS = 64;

/** Through these, any process of the same user can type into a terminal that was open long before. */
const MULTIPLEXERS = /^(?:tmux(?:: server)?|screen|zellij|dtach|abduco)$/i;

/**
 * The reason why this command may be an agent's although none of its ancestors is an agent: without a sandbox, an agent
 * can detach and open a terminal of its own once it acts. Undefined if the terminal is older than the agent's actions, or
 * every agent's commands run in the shell wrapper.
 */
export function findAgentsTerminal(dataFolder: string): string | undefined {
  const above = ancestors(process.pid, readProcess);
  const known = knownActions(dataFolder);
  if (!known.ok) return judgeWithoutLedger(above, runningAgents(), known.why);
  return judgeTerminal(above, known.actions, orphans);
}

type KnownActions = { ok: true; actions: readonly AgentAction[] } | { ok: false; why: string };

/** The actions in the ledger. A missing or replaced ledger proves nothing. */
function knownActions(dataFolder: string): KnownActions {
  const path = join(dataFolder, 'ledger.db');
  const marked = markedLedger(dataFolder);
  if (!existsSync(path))
    return marked === undefined ? { ok: true, actions: [] } : { ok: false, why: 'the ledger is missing' };
  try {
    const ledger = openLedger({ path });
    try {
      if (marked !== undefined && marked !== ledger.file.id)
        return { ok: false, why: 'the ledger was replaced' };
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

/** An agent that has exited no longer controls any terminal. */
function isOfLiveAgent({ body }: AgentAction): boolean {
  return body.agent_process === null || isRunning(body.agent_process);
}

/** A running coding agent. */
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

/** Without the ledger, any terminal younger than a running agent may be that agent's. Pure. */
export function judgeWithoutLedger(
  { rows, fromOutside }: ReturnType<typeof ancestors>,
  agents: readonly RunningAgent[],
  why: string,
): string | undefined {
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  const before = agents.find(({ pid, started }) => pid !== top.pid && started <= top.started);
  return (
    before &&
    `${why}, so ${before.program} (process ${before.pid}) may have started this terminal: end that process, or use a terminal that was open before it`
  );
}

/** A process and its ancestors, up to the topmost one that the system did not start itself. */
export function ancestors(
  first: number,
  find: (pid: number) => ProcessRow | undefined,
): { rows: ProcessRow[]; fromOutside: boolean } {
  const rows: ProcessRow[] = [];
  for (let row = find(first); row && rows.length < MAX_ANCESTORS; row = find(row.parent)) {
    if (row.pid === 1 || (rows.length > 0 && isAdopter(row.name))) break;
    rows.push(row);
  }
  // Started from outside this container, where no agent inside can reach.
  return { rows, fromOutside: rows.at(-1)?.parent === 0 };
}

/** Pure except for `findOrphans`, which is called only if an agent has acted without a sandbox. */
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
    return `${shared.name} lets other programs type into this terminal, and ${whose(typing)} is acting: use a terminal outside ${shared.name}, or wait until the action ends`;
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  const during = loose.find((action) => isDuring(top.started, action));
  if (during)
    return `this terminal was opened while ${whose(during)} was acting and may be the agent's: use an older terminal, or end the agent`;
  const left = findOrphans().find(
    (row) => row.started <= top.started && loose.some((action) => isDuring(row.started, action)),
  );
  return (
    left &&
    `process ${left.pid} (${left.name}) was started during an agent’s action and may have opened this terminal: end it, or use an older terminal`
  );
}

function whose({ session, body: { agent } }: AgentAction): string {
  return `${agent} ${session.slice(0, 8)}`;
}
