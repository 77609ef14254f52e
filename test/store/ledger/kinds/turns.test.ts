import { expect, it } from 'vitest';
import { projectGroup } from '../../../../src/domain/entities/group.ts';
import { deliverOutbox } from '../../../../src/store/ledger/outbox/deliver-outbox.ts';
import { PROJECT, temporaryLedger, temporaryStore, turn, turnId } from '../ledger-fixture.ts';

it('a finished turn has the time of its record as its timestamp, an unfinished one has none', async () => {
  let now = '2026-03-15T09:30:00.000Z';
  const ledger = temporaryLedger({ clock: () => Date.parse(now) });
  const store = await temporaryStore();
  ledger.append(PROJECT, 'turn_recorded', turn(1));
  now = '2026-03-15T09:40:00.500Z';
  const ended = { ...turn(1), completed_at: '2026-03-15T09:39:59.000Z', duration_seconds: 599 };
  ledger.append(PROJECT, 'turn_recorded', ended);
  await deliverOutbox(ledger, store);
  const versions = await store.history(projectGroup(PROJECT, 'turn_states'), turnId(1));
  expect(versions.map(({ body }) => body.timestamp)).toEqual([undefined, now]);
  expect(versions.at(-1)?.body).toMatchObject({
    completed_at: '2026-03-15T09:39:59.000Z',
    duration_seconds: 599,
  });
  // The ledger itself keeps what was recorded.
  expect(ledger.entries(PROJECT).map(({ body }) => body.timestamp)).toEqual([undefined, undefined]);
});
