import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRow } from '../../platform/process-row.ts';
import { readProcess } from '../../platform/process-table.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/watch-tables.ts';
import { ADOPTERS } from './left-behind.ts';
import { type ActionWindow, readWindows } from './window.ts';

const MAX_ANCESTORS = 64;

/**
 * Why this command may be an agent's although it has a terminal and nothing above it says so: an agent can cut all ties and
 * open a terminal of its own, but not before it acts. Undefined where a person's terminal was there first.
 */
export function findAgentsTerminal(dataFolder: string): string | undefined {
  const path = join(dataFolder, 'ledger.db');
  if (!existsSync(path)) return undefined;
  const ledger = openLedger({ path });
  try {
    return judgeTerminal(ancestors(process.pid, readProcess), readWindows(new WatchTables(ledger)));
  } finally {
    ledger.close();
  }
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
  const top = rows.at(-1);
  if (!top || fromOutside) return undefined;
  const during = windows.find(({ body }) => body.mark !== null && top.started >= body.mark.now);
  return (
    during &&
    `this terminal was opened while ${whose(during)} was acting, and may be its own: use one that was open before, or wait until that is over`
  );
}

function whose({ session, body: { agent } }: ActionWindow): string {
  return `${agent} ${session.slice(0, 8)}`;
}
