import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ENTITY_REGISTRY } from '../../../src/domain/entities/entity-types.ts';
import type { EventClaim } from '../../../src/store/ledger/claimed-event.ts';
import { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedgerFile } from '../../../src/store/ledger/open-ledger-file.ts';
import { PROJECT, TEST_KINDS, temporaryFolder } from './ledger-fixture.ts';

const RESIDENT = { key: 'event-1', owner: 'resident 1', takesOver: false };
const COLD = { key: 'event-1', owner: 'cold 2', takesOver: true };

function opener() {
  const path = join(temporaryFolder(), 'ledger.db');
  return (claim?: EventClaim) => {
    const ledger = new Ledger({
      file: openLedgerFile(path),
      clock: Date.now,
      kinds: TEST_KINDS,
      entityTypes: ENTITY_REGISTRY,
      claim,
    });
    onTestFinished(() => ledger.close());
    return ledger;
  };
}

const texts = (ledger: Ledger) => ledger.entries(PROJECT).map(({ body }) => (body as { text: string }).text);

test('a cold process does not write again what the resident one wrote, and writes the rest', () => {
  const open = opener();
  const first = open(RESIDENT).append(PROJECT, 'remark', { text: 'one' });
  const cold = open(COLD);
  expect(cold.append(PROJECT, 'remark', { text: 'one' })).toEqual(first);
  cold.append(PROJECT, 'remark', { text: 'two' });
  expect(texts(cold)).toEqual(['one', 'two']);
  expect(cold.verify(PROJECT)).toEqual({ ok: true, entries: 2 });
});

test('nothing that the resident process writes after a takeover counts', () => {
  const open = opener();
  const resident = open(RESIDENT);
  const cold = open(COLD);
  expect(() => resident.append(PROJECT, 'remark', { text: 'late' })).toThrow(
    expect.objectContaining({ code: 'event.taken-over' }),
  );
  expect(texts(cold)).toEqual([]);
});

test('a key that is used again hides no entry of a cold process', () => {
  const open = opener();
  for (const text of ['one', 'two']) open(COLD).append(PROJECT, 'remark', { text });
  expect(texts(open())).toEqual(['one', 'two']);
});
