import { beforeEach, describe, expect, it } from 'vitest';
import { forgetOldSessions, knownSessions } from '../../../src/enforcement/actions/sessions.ts';
import { readProcess } from '../../../src/platform/processes/process-table.ts';
import { WatchTables } from '../../../src/store/ledger/tables/watch-tables.ts';
import { temporaryLedger } from '../../store/ledger/ledger-fixture.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 400 * DAY;

let tables: WatchTables;

beforeEach(() => {
  tables = new WatchTables(temporaryLedger());
});

function addSession(session: string, daysAgo: number, body: object): void {
  const common = { agent: 'claude', checkout: '/shop', process: null, driven: false, types: [], ended: true };
  const at = NOW - daysAgo * DAY;
  tables.setSession({
    project: 'shop',
    session,
    began_at: at,
    seen_at: at,
    body: JSON.stringify({ ...common, ...body }),
  });
}

describe('sessions', () => {
  it('are forgotten three months after they ended, unless a process of them may still run', () => {
    const { pid, started } = readProcess(process.pid) ?? { pid: 0, started: 0 };
    addSession('ended', 91, {});
    addSession('recent', 89, {});
    addSession('killed', 91, { ended: false, process: { pid, started: started + 1 } });
    addSession('running', 91, { ended: false, process: { pid, started } });
    addSession('unknown', 91, { ended: false });
    addSession('left', 91, { left: [{ pid, started }] });
    forgetOldSessions(tables, NOW);
    const left = knownSessions(tables).map(({ session }) => session);
    expect(left.sort()).toEqual(['left', 'recent', 'running']);
  });
});
