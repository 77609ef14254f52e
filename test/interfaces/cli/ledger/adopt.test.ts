import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { pausedUntil } from '../../../../src/store/ledger/pause.ts';
import { activeWaivers } from '../../../../src/store/ledger/waivers.ts';
import { forgeEntry } from '../../../support/forge-entry.ts';
import { DayGround, PERSON, PROGRAM, PROJECT } from '../day-ground.ts';

const ADOPT = { ...PERSON, input: 'adopt\n' };

function foreignWaiver(ground: DayGround): number {
  return forgeEntry(ground.ledger.path, PROJECT, 'waiver_issued', {
    waiver_id: 'WAIVER-1',
    guard: 'secrets',
    until: new Date(Date.now() + 3_600_000).toISOString(),
    uses: null,
    reason: 'because',
    by: 'ada',
  }).number;
}

function waivers(ground: DayGround): unknown[] {
  return activeWaivers(ground.ledger, PROJECT, Date.now());
}

test('a person adopts records of a backup after seeing them, on record', async () => {
  const ground = new DayGround();
  const number = foreignWaiver(ground);
  expect(waivers(ground)).toEqual([]);
  expect(await ground.json(['ledger', 'adopt', '--dry-run'])).toMatchObject({
    adopted: 0,
    records: [{ number, kind: 'waiver_issued' }],
  });
  expect(waivers(ground)).toEqual([]);
  expect(await ground.json(['ledger', 'adopt'], ADOPT)).toMatchObject({ adopted: 1 });
  expect(waivers(ground)).toMatchObject([{ id: 'WAIVER-1' }]);
  expect(ground.ledger.entries(PROJECT, { kind: 'records_adopted' })).toMatchObject([
    { body: { count: 1, first: number, last: number } },
  ]);
  expect(await ground.json(['ledger', 'adopt'], ADOPT)).toMatchObject({ adopted: 0 });
});

test.each([
  ['an agent', PROGRAM, 'person.needed'],
  ['a person who types something else', { ...PERSON, input: 'y\n' }, 'ledger.adopt-cancelled'],
])('%s adopts nothing', async (_who, options, code) => {
  const ground = new DayGround();
  foreignWaiver(ground);
  expect(await ground.json(['ledger', 'adopt'], options)).toMatchObject({ error: { code } });
  expect(waivers(ground)).toEqual([]);
});

test('after the key was lost, commands refuse until a person adopts the records with a new one', async () => {
  const ground = new DayGround();
  const until = new Date(Date.now() + 60_000).toISOString();
  ground.ledger.append(PROJECT, 'protection_paused', { until, reason: '', by: 'ada' });
  rmSync(join(dirname(ground.ledger.path), 'keys', 'machine.pem'));
  expect(await ground.json(['status'])).toMatchObject({ error: { code: 'key.gone' } });
  expect(await ground.json(['ledger', 'adopt'], ADOPT)).toMatchObject({ adopted: 1 });
  const again = openLedger({ path: ground.ledger.path });
  expect(pausedUntil(again, PROJECT, Date.now())).toBe(until);
  again.close();
});
