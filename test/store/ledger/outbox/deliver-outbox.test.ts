import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { projectGroup } from '../../../../src/domain/entities/group.ts';
import { GuardKitError } from '../../../../src/guardkit-error.ts';
import { openSqlite } from '../../../../src/platform/open-sqlite.ts';
import { defineEntryKind, entryKindRegistry } from '../../../../src/store/ledger/chain/entry-kind.ts';
import { ENTRY_KINDS } from '../../../../src/store/ledger/chain/entry-kinds.ts';
import type { Ledger } from '../../../../src/store/ledger/ledger.ts';
import { deliverOutbox } from '../../../../src/store/ledger/outbox/deliver-outbox.ts';
import {
  away,
  gate,
  intercepted,
  PROJECT,
  summaries,
  temporaryLedger,
  temporaryStore,
  turn,
  turnId,
} from '../ledger-fixture.ts';

const GROUP = projectGroup(PROJECT, 'turn_states');

/** Turns 1 to `turns`, each recorded at its start and at its end. */
function recordTurns(ledger: Ledger, turns: number, project = PROJECT, from = 1): void {
  for (let number = from; number < from + turns; number += 1) {
    ledger.append(project, 'turn_recorded', turn(number, 'began'));
    ledger.append(project, 'turn_recorded', turn(number, 'ended'));
  }
}

async function expectTurns(
  store: Awaited<ReturnType<typeof temporaryStore>>,
  turns: number,
  project = PROJECT,
) {
  for (let number = 1; number <= turns; number += 1) {
    expect(await summaries(store, number, project)).toEqual(['began', 'ended']);
  }
  expect(await store.counts()).toContainEqual({
    group: projectGroup(project, 'turn_states'),
    episodes: turns,
    versions: 2 * turns,
  });
}

function refusal(message: string): GuardKitError {
  return new GuardKitError({ code: 'entity.invalid-body', kind: 'input', message, hint: 'Correct it.' });
}

describe('delivery', () => {
  test('delivers each entry once, in order, with its recorded time', async () => {
    let now = Date.parse('2026-03-15T09:30:00Z');
    const ledger = temporaryLedger({
      clock: () => {
        now += 1000;
        return now;
      },
    });
    const store = await temporaryStore();
    recordTurns(ledger, 3);
    ledger.append(PROJECT, 'remark', { text: 'stays here' });

    expect(await deliverOutbox(ledger, store)).toEqual({
      delivered: 6,
      pending: 0,
      refused: [],
      waiting: [],
    });
    expect(await deliverOutbox(ledger, store)).toEqual({
      delivered: 0,
      pending: 0,
      refused: [],
      waiting: [],
    });
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 0 });
    await expectTurns(store, 3);
    const [, last] = ledger.entries(PROJECT);
    expect(await store.get(GROUP, turnId(1))).toMatchObject({ source: 'ledger', valid_at: last?.at });
    expect(last?.at).toMatch(/^2026-03-15T09:30:/);
  });

  test('secrets do not reach the store', async () => {
    const [ledger, store] = [temporaryLedger(), await temporaryStore()];
    ledger.append(PROJECT, 'turn_recorded', turn(1, 'used AKIAIOSFODNN7EXAMPLE'));
    await deliverOutbox(ledger, store);
    expect(await summaries(store, 1)).toEqual(['used [scrubbed:aws-key]']);
  });

  test('stops after the allowed number of entries, and before the next one on abort', async () => {
    const [ledger, store] = [temporaryLedger(), await temporaryStore()];
    recordTurns(ledger, 5);
    expect(await deliverOutbox(ledger, store, { limit: 3 })).toMatchObject({ delivered: 3, pending: 7 });
    const stopping = new AbortController();
    const stoppedByStore = intercepted(store, async (_number, forward) => {
      stopping.abort();
      return forward();
    });
    expect(await deliverOutbox(ledger, stoppedByStore, { signal: stopping.signal })).toMatchObject({
      delivered: 1,
      pending: 6,
    });
    expect(await deliverOutbox(ledger, store)).toMatchObject({ delivered: 6, pending: 0 });
    await expectTurns(store, 5);
  });

  test('does not block the event loop', async () => {
    const [ledger, store] = [temporaryLedger(), await temporaryStore()];
    recordTurns(ledger, 5);
    let turnsOfTheLoop = 0;
    let delivering = true;
    const count = () => {
      turnsOfTheLoop += 1;
      if (delivering) setImmediate(count);
    };
    setImmediate(count);
    await deliverOutbox(ledger, store);
    delivering = false;
    expect(turnsOfTheLoop).toBeGreaterThanOrEqual(10);
  });
});

describe('an unavailable store', () => {
  test('loses nothing: everything arrives once and in order afterwards [LEDGER-3]', async () => {
    const [ledger, real] = [temporaryLedger(), await temporaryStore()];
    let isAway = true;
    const store = intercepted(real, async (number, forward) => {
      if (isAway || number === 7) throw away();
      return forward();
    });
    recordTurns(ledger, 5);
    expect(await deliverOutbox(ledger, store)).toMatchObject({
      delivered: 0,
      pending: 10,
      refused: [],
      failure: { message: 'The server does not answer.' },
    });

    isAway = false;
    recordTurns(ledger, 2, PROJECT, 6);
    expect(await deliverOutbox(ledger, store)).toMatchObject({ delivered: 6, pending: 8, failure: {} });
    expect(ledger.outbox.status()).toMatchObject({ pending: 8, refused: 0 });

    expect(await deliverOutbox(ledger, real)).toEqual({ delivered: 8, pending: 0, refused: [], waiting: [] });
    expect(store.numbers).toEqual([1, 1, 2, 3, 4, 5, 6, 7]);
    await expectTurns(real, 7);
  });

  test('includes one that fails in an unforeseen way', async () => {
    const ledger = temporaryLedger();
    recordTurns(ledger, 1);
    const broken = { upsertMany: () => Promise.reject(new TypeError('undefined is not a function')) };
    const report = await deliverOutbox(ledger, broken);
    expect(report).toMatchObject({ delivered: 0, pending: 2, failure: { name: 'TypeError' } });
  });

  test('that stored an entry without confirming it does not get it twice', async () => {
    const [ledger, real] = [temporaryLedger(), await temporaryStore()];
    recordTurns(ledger, 3);
    for (const lostAnswer of [1, 2, 4]) {
      const store = intercepted(real, async (number, forward) => {
        const answer = await forward();
        if (number === lostAnswer) throw away('The connection was reset.');
        return answer;
      });
      expect(await deliverOutbox(ledger, store)).toMatchObject({ failure: {} });
    }
    expect(await deliverOutbox(ledger, real)).toMatchObject({ delivered: 2, pending: 0 });
    await expectTurns(real, 3);
  });

  test('does not affect appending', async () => {
    const ledger = temporaryLedger();
    const never = intercepted(await temporaryStore(), () => new Promise(() => {}));
    ledger.append(PROJECT, 'turn_recorded', turn(1));
    void deliverOutbox(ledger, never);
    expect(never.numbers).toEqual([1]);
    expect(ledger.append(PROJECT, 'turn_recorded', turn(2)).number).toBe(2);
    expect(ledger.outbox.status().pending).toBe(2);
  });
});

describe('two deliverers at once', () => {
  test('deliver each entry once, in order', async () => {
    const ledger = temporaryLedger();
    const other = temporaryLedger({ path: ledger.path });
    const store = await temporaryStore();
    recordTurns(ledger, 20);
    const reports = await Promise.all([deliverOutbox(ledger, store), deliverOutbox(other, store)]);
    expect(reports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(40);
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 0 });
    await expectTurns(store, 20);
  });

  test('a late one does not deliver an entry after its successors', async () => {
    const ledger = temporaryLedger();
    const store = await temporaryStore();
    recordTurns(ledger, 2);
    const late = gate();
    const held = intercepted(store, async (_number, forward) => {
      await late.opened;
      return forward();
    });
    const lateReport = deliverOutbox(ledger, held);
    expect(await deliverOutbox(ledger, store)).toMatchObject({ delivered: 4, pending: 0 });
    late.open();
    expect(await lateReport).toMatchObject({ delivered: 0, pending: 0 });
    await expectTurns(store, 2);
  });

  test('a late one does not erase the refusal of an entry', async () => {
    const ledger = temporaryLedger();
    const store = await temporaryStore();
    recordTurns(ledger, 1);
    const late = gate();
    const held = intercepted(store, async (_number, forward) => {
      await late.opened;
      return forward();
    });
    const lateReport = deliverOutbox(ledger, held);
    const picky = intercepted(store, async (number, forward) => {
      if (number === 1) throw refusal('not this one');
      return forward();
    });
    expect(await deliverOutbox(ledger, picky)).toMatchObject({ delivered: 1, refused: [{ number: 1 }] });
    late.open();
    expect(await lateReport).toMatchObject({ delivered: 0, refused: [] });
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 1 });
  });
});

describe('an entry that the store refuses', () => {
  test('does not block later ones, and is kept with the reason', async () => {
    const [ledger, real] = [temporaryLedger(), await temporaryStore()];
    const store = intercepted(real, async (number, forward) => {
      if (number === 3) throw refusal('turn_number: too odd, password=hunter2hunter2');
      return forward();
    });
    recordTurns(ledger, 3);
    const refused = [
      { project: PROJECT, number: 3, reason: 'turn_number: too odd, password=[scrubbed:password]' },
    ];
    expect(await deliverOutbox(ledger, store)).toEqual({ delivered: 5, pending: 0, refused, waiting: [] });
    expect(ledger.outbox.status()).toEqual({ pending: 0, refused: 1 });
    expect(ledger.outbox.refusedEntries()).toEqual(refused);
    expect(await deliverOutbox(ledger, store)).toEqual({
      delivered: 0,
      pending: 0,
      refused: [],
      waiting: [],
    });
    expect(await summaries(real, 2)).toEqual(['ended']);
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: 6 });
  });

  test('may have been altered in the file or removed from it', async () => {
    const [ledger, store] = [temporaryLedger(), await temporaryStore()];
    recordTurns(ledger, 2);
    const raw = openSqlite(ledger.path);
    onTestFinished(() => {
      raw.close();
    });
    raw.exec('DROP TRIGGER entries_are_fixed; DROP TRIGGER entries_stay');
    raw.exec(`UPDATE entries SET body = replace(body, 'began', 'faked') WHERE number = 1`);
    raw.exec('DELETE FROM entries WHERE number = 3');
    const report = await deliverOutbox(ledger, store);
    expect(report).toMatchObject({ delivered: 2, pending: 0 });
    expect(report.refused).toEqual([
      { project: PROJECT, number: 1, reason: expect.any(String) },
      { project: PROJECT, number: 3, reason: expect.any(String) },
    ]);
    expect(await summaries(store, 1)).toEqual(['ended']);
  });
});

describe('an entry that only a newer guardkit can deliver', () => {
  const future = defineEntryKind({
    kind: 'future_event',
    schema: z.strictObject({ title: z.string() }),
    freeText: ['title'],
    episodes: ({ project, number, body }) => [
      {
        group: projectGroup(project, 'task_outcomes'),
        entity_type: 'note',
        entity_id: `NOTE-${number}`,
        body,
      },
    ],
  });
  const futureKinds = entryKindRegistry([...ENTRY_KINDS, future]);

  test('waits with those after it in its project, while other projects continue', async () => {
    const newer = temporaryLedger({ kinds: futureKinds });
    const older = temporaryLedger({ path: newer.path });
    const store = await temporaryStore();
    newer.append(PROJECT, 'future_event', { title: 'first of all' });
    recordTurns(newer, 1);
    recordTurns(newer, 2, 'blog');

    const waiting = [
      {
        project: PROJECT,
        number: 1,
        reason: expect.stringContaining('future_event'),
      },
    ];
    expect(await deliverOutbox(older, store, { limit: 1 })).toMatchObject({ delivered: 1, waiting });
    expect(await deliverOutbox(older, store)).toEqual({ delivered: 3, pending: 3, refused: [], waiting });
    await expectTurns(store, 2, 'blog');
    expect(await summaries(store, 1)).toEqual([]);

    expect(await deliverOutbox(newer, store)).toMatchObject({ delivered: 3, pending: 0, waiting: [] });
    await expectTurns(store, 1);
    expect(await store.get(projectGroup(PROJECT, 'task_outcomes'), 'NOTE-1')).toMatchObject({
      body: { title: 'first of all' },
    });
  });

  test('may be of a known kind in an unknown format', async () => {
    const narrow = defineEntryKind({
      kind: 'future_event',
      schema: z.strictObject({ title: z.literal('old') }),
      freeText: [],
      episodes: () => [],
    });
    const newer = temporaryLedger({ kinds: futureKinds });
    const older = temporaryLedger({ path: newer.path, kinds: entryKindRegistry([narrow]) });
    const store = await temporaryStore();
    newer.append(PROJECT, 'future_event', { title: 'new' });
    expect(await deliverOutbox(older, store)).toMatchObject({
      pending: 1,
      refused: [],
      waiting: [{ number: 1 }],
    });
    expect(await deliverOutbox(newer, store)).toMatchObject({ delivered: 1, pending: 0 });
  });
});
