import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { deliverToMemory } from '../../../src/store/ledger/outbox/deliver-to-memory.ts';
import { Sandbox } from '../../support/cli.ts';
import { expectFailure } from '../../support/expect-failure.ts';

const IN = { in: 'shop' };
const TURN = {
  feature_id: 'FEAT-1',
  task_id: 'TASK-1',
  turn_number: 1,
  mode: 'fresh_start',
  coach_decision: 'rejected',
  coach_feedback: 'The total is wrong.',
};
const ID = 'TURN-FEAT-1-TASK-1-T1';

const sandbox = new Sandbox();
let shop: string;
/** An export made by GuardKit, of the one turn that its ledger recorded. */
let file: string;

beforeAll(async () => {
  shop = sandbox.repository('shop');
  const path = sandbox.path('data', 'ledger.db');
  const ledger = openLedger({ path });
  ledger.append(shop, 'turn_recorded', TURN);
  await deliverToMemory(ledger, { path: sandbox.database });
  ledger.close();
  file = sandbox.path('turns.jsonl');
  await sandbox.graphiti(['export', '--group', 'turn_states', '--out', file], IN);
});
afterAll(() => sandbox.cleanup());

/** The same export, changed as an agent could. */
function forged(changes: Record<string, unknown>): string {
  const [header = '', line = ''] = readFileSync(file, 'utf8').split('\n');
  const record = { ...JSON.parse(line), ...changes };
  return sandbox.write('forged.jsonl', `${header}\n${JSON.stringify(record)}\n`);
}

const NEXT = {
  uuid: '0d0d4c62-c7d4-4212-994e-45aa19d0f563',
  entity_id: 'TURN-FEAT-1-TASK-1-T2',
  body: { ...TURN, turn_number: 2 },
};
const elsewhere = { env: { GUARDKIT_HOME: sandbox.path('empty') } };

function stored(options: object = IN) {
  return sandbox.json(['list', 'turn_states'], { ...IN, ...options });
}

describe('what the ledger recorded', () => {
  it.each(['ledger', 'guardkit', 'person', 'system_seeding'])(
    'cannot be claimed by a program that imports with the source %s [SEC-3]',
    async (source) => {
      const before = await sandbox.records();
      const failed = await sandbox.failure(['graphiti', 'import', forged({ ...NEXT, source })], IN);
      expectFailure(failed, `person.needed ${source} ${NEXT.entity_id} ${shop}__turn_states`);
      expect(failed.exitCode).toBe(1);
      expect(await sandbox.records()).toEqual(before);
    },
  );

  it.each([
    ['a newer version', { uuid: NEXT.uuid, created_at: '2099-01-01T00:00:00Z' }],
    ['a newer version under a short id', { uuid: NEXT.uuid, entity_id: 'TURN-FEAT-1-1' }],
    ['its end', { invalid_at: '2099-01-01T00:00:00Z', expired_at: '2099-01-01T00:00:00Z' }],
  ])('is not replaced by a program that imports %s [SEC-3]', async (_case, changes) => {
    const before = await sandbox.records();
    const body = { ...TURN, coach_decision: 'approved' };
    const path = forged({ ...changes, body, source: 'program' });
    const failed = await sandbox.failure(['graphiti', 'import', path], IN);
    expectFailure(failed, `person.needed ${ID} ${shop}__turn_states`);
    expect(failed.exitCode).toBe(1);
    expect(await sandbox.records()).toEqual(before);
  });

  it.each([
    ['add', ['add', 'turn_states', '--id', ID, '--type', 'turn_state', '--body', '-']],
    ['clear', ['clear', '--group', 'turn_states', '--confirm']],
  ])('is not changed by a program’s %s [SEC-3]', async (_case, args) => {
    const before = await sandbox.records();
    const input = JSON.stringify({ ...TURN, coach_decision: 'approved' });
    const failed = await sandbox.failure(['graphiti', ...args], { ...IN, input });
    expectFailure(failed, `person.needed ${ID} ${shop}__turn_states`);
    expect(failed.exitCode).toBe(1);
    expect(await sandbox.records()).toEqual(before);
  });

  it('does not keep a program from adding turns in its own name', async () => {
    const args = ['add', 'turn_states', '--id', 'TURN-FEAT-2-1', '--type', 'turn_state', '--body', '-'];
    const input = JSON.stringify({ ...TURN, feature_id: 'FEAT-2' });
    expect((await sandbox.graphiti(args, { ...IN, input })).exitCode).toBe(0);
    expect(await stored()).toMatchObject({ episodes: [{ source: 'program' }, { source: 'ledger' }] });
  });

  it('is put on record as a violation where an agent tries', async () => {
    const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
    try {
      await sandbox.graphiti(['import', forged(NEXT)], { ...IN, hiddenAgent: 'an agent is behind it' });
      expect(ledger.entries(shop, { kind: 'violation_recorded' }).map(({ body }) => body)).toMatchObject([
        { guard: 'person-only', path: 'guardkit memory import' },
      ]);
    } finally {
      ledger.close();
    }
  });
});

describe('a person at a terminal', () => {
  it('imports what GuardKit exported, and a second time changes nothing [MEM-8]', async () => {
    const typed = { ...elsewhere, person: true, input: 'yes\n' };
    const first = await sandbox.graphiti(['import', file, '--json'], { ...IN, ...typed });
    expect(first.stderr).toContain(`${ID} in ${shop}__turn_states`);
    const again = await sandbox.graphiti(['import', file, '--json'], { ...IN, ...typed });
    expect([first, again].map(({ stdout }) => JSON.parse(stdout))).toEqual([
      { added: 1, unchanged: 0 },
      { added: 0, unchanged: 1 },
    ]);
    expect(await stored(elsewhere)).toMatchObject({ episodes: [{ entity_id: ID, source: 'ledger' }] });
  });

  it('imports nothing without saying yes', async () => {
    const other = { env: { GUARDKIT_HOME: sandbox.path('unasked') } };
    const { exitCode } = await sandbox.graphiti(['import', file], {
      ...IN,
      ...other,
      person: true,
      input: 'no\n',
    });
    expect(exitCode).toBe(1);
    expect((await stored(other)).episodes).toEqual([]);
  });
});
