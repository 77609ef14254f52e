import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentProgramOf } from '../../platform/person.ts';
import type { ProcessRow } from '../../platform/process-row.ts';
import { allProcesses, readProcess } from '../../platform/process-table.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/watch-tables.ts';
import { markedLedger } from '../wiring/ledger-mark.ts';
import { ADOPTERS } from './left-behind.ts';
import { type ActionWindow, readWindows } from './window.ts';

const MAX_ANCESTORS = 64;

/** Whoever is the same user can have these type into a terminal that was open long before. */
const MULTIPLEXERS = /^(?:tmux(?:: server)?|screen|zellij|dtach|abduco)$/i;

/**
 * Why this command may be an agent's although nothing above it says so: an agent can cut all ties and open a terminal of its
 * own, but not before it acts. Undefined where what a person uses was there first.
 */
export function findAgentsTerminal(dataFolder: string): string | undefined {
  const above = ancestors(process.pid, readProcess);
  const known = knownWindows(dataFolder);
  return known.ok ? judgeTerminal(above, known.windows) : judgeUntold(above, runningAgents(), known.why);
}

type KnownWindows = { ok: true; windows: readonly ActionWindow[] } | { ok: false; why: string };

/** What the ledger says of actions. One that an agent took away, or laid another in the place of, says nothing. */
function knownWindows(dataFolder: string): KnownWindows {
  const path = join(dataFolder, 'ledger.db');
  const marked = markedLedger(dataFolder);
  if (!existsSync(path))
    return marked === undefined ? { ok: true, windows: [] } : { ok: false, why: 'the ledger is gone' };
  try {
    const ledger = openLedger({ path });
    try {
      if (marked !== undefined && marked !== ledger.file.id)
        return { ok: false, why: 'the ledger is another one than before' };
      return { ok: true, windows: readWindows(new WatchTables(ledger)) };
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
    if (row.pid === 1 || (rows.length > 0 && ADOPTERS.test(row.name))) break;
    rows.push(row);
  }
  // Brought into this container by something around it, where no agent in it can reach.
  return { rows, fromOutside: rows.at(-1)?.parent === 0 };
}

/** Pure. */
export function judgeTerminal(
  { rows, fromOutside }: ReturnType<typeof ancestors>,
  windows: readonly ActionWindow[],
): string | undefined {
  const left = windows.find(({ body }) =>
    body.processes.some((one) => rows.some(({ pid, started }) => pid === one.pid && started === one.started)),
  );
  if (left) return `an action of ${whose(left)} left running what this was started from`;
  const shared = rows.find(({ name }) => MULTIPLEXERS.test(name));
  const typing = windows.find(
    ({ body }) => body.runs && body.confined !== true && body.state !== 'scheduled',
  );
  if (shared && typing)
    return `${shared.name} lets other programs type into this terminal, and ${whose(typing)} is acting: use a terminal outside of it, or wait until that is over`;
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  // What a sandbox keeps in its checkout opens nothing out here.
  const during = windows.find(
    ({ body }) => body.mark !== null && body.confined !== true && top.started >= body.mark.now,
  );
  return (
    during &&
    `what this was started from came up while ${whose(during)} was acting, and may be its own: use a terminal that was open before, or wait until that is over`
  );
}

function whose({ session, body: { agent } }: ActionWindow): string {
  return `${agent} ${session.slice(0, 8)}`;
}
