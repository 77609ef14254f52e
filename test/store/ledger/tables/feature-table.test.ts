import { expect, it } from 'vitest';
import { type Feature, featureSchema } from '../../../../src/domain/entities/feature.ts';
import { openSqlite } from '../../../../src/platform/open-sqlite.ts';
import type { Ledger } from '../../../../src/store/ledger/ledger.ts';
import { deliverOutbox } from '../../../../src/store/ledger/outbox/deliver-outbox.ts';
import {
  changeFeatures,
  differingFeatures,
  falselyTested,
  featuresAt,
  featuresNumber,
  readFeature,
  readFeatures,
  rebuildFeatures,
  recordFeatures,
} from '../../../../src/store/ledger/tables/feature-table.ts';
import { PROJECT, temporaryLedger, temporaryStore } from '../ledger-fixture.ts';

function feature(id: string, fields: Partial<Feature> = {}): Feature {
  return featureSchema.parse({ id, ...fields });
}

function record(ledger: Ledger, features: readonly Feature[], removed: readonly string[] = []): number {
  return recordFeatures(ledger, PROJECT, { by: 'person', actor: 'Ada', features, removed });
}

/** A change to the table by another program. */
function tamper(ledger: Ledger, sql: string): void {
  const database = openSqlite(ledger.path);
  database.exec(sql);
  database.close();
}

it('keeps features in order, each in its last version', () => {
  const ledger = temporaryLedger();
  record(ledger, [feature('F2'), feature('F1')]);
  record(ledger, [feature('F3'), feature('F2', { notes: 'begun' })]);
  expect(readFeatures(ledger, PROJECT).map(({ id }) => id)).toEqual(['F2', 'F1', 'F3']);
  expect(readFeature(ledger, PROJECT, 'F2')).toEqual(feature('F2', { notes: 'begun' }));
  expect(readFeature(ledger, PROJECT, 'F9')).toBeUndefined();
  expect(readFeatures(ledger, 'other-1')).toEqual([]);
});

it('records only changes [MEM-4]', () => {
  const ledger = temporaryLedger();
  const first = record(ledger, [feature('F1'), feature('F2')]);
  expect(record(ledger, [feature('F1')], ['F9'])).toBe(first);
  const second = record(ledger, [feature('F1'), feature('F2', { notes: 'x' })]);
  expect(second).toBe(first + 1);
  expect(featuresNumber(ledger, PROJECT)).toBe(second);
  const [, entry] = ledger.entries(PROJECT, { kind: 'features_recorded' });
  expect(entry?.body).toMatchObject({ by: 'person', actor: 'Ada', features: [{ id: 'F2' }], removed: [] });
  expect(featuresNumber(ledger, 'other-1')).toBe(0);
});

it('removes features, and appends them at the end when they return', () => {
  const ledger = temporaryLedger();
  record(ledger, [feature('F1'), feature('F2')]);
  record(ledger, [], ['F1']);
  expect(readFeatures(ledger, PROJECT).map(({ id }) => id)).toEqual(['F2']);
  record(ledger, [feature('F1')]);
  expect(readFeatures(ledger, PROJECT).map(({ id }) => id)).toEqual(['F2', 'F1']);
  expect(differingFeatures(ledger, PROJECT)).toEqual([]);
});

it('returns the features after an earlier entry', () => {
  const ledger = temporaryLedger();
  const first = record(ledger, [feature('F1'), feature('F2')]);
  record(ledger, [feature('F1', { tested: true })], ['F2']);
  expect(featuresAt(ledger, PROJECT, first)).toEqual([feature('F1'), feature('F2')]);
  expect(featuresAt(ledger, PROJECT)).toEqual([feature('F1', { tested: true })]);
});

it('decides a change on the current features, and loses no change of another process', () => {
  const ledger = temporaryLedger();
  record(ledger, [feature('F1'), feature('F2')]);
  changeFeatures(ledger, PROJECT, (current) => {
    expect(current.map(({ id }) => id)).toEqual(['F1', 'F2']);
    return { by: 'agent', actor: 'claude', features: [{ ...feature('F1'), notes: 'mine' }] };
  });
  expect(changeFeatures(ledger, PROJECT, () => undefined)).toBe(featuresNumber(ledger, PROJECT));
  expect(readFeature(ledger, PROJECT, 'F1')?.notes).toBe('mine');
});

it('records nothing if one of the features is invalid [MEM-6]', () => {
  const ledger = temporaryLedger();
  expect(() => record(ledger, [feature('F1'), { ...feature('F2'), complexity: 99 }])).toThrow();
  expect(readFeatures(ledger, PROJECT)).toEqual([]);
  expect(featuresNumber(ledger, PROJECT)).toBe(0);
});

it('splits more than one entry can hold, and scrubs secrets from free text [SEC-1]', () => {
  const ledger = temporaryLedger();
  const many = Array.from({ length: 60 }, (_, index) =>
    feature(`F${index}`, { description: 'words '.repeat(3000), notes: 'password: hunter2hunter2!' }),
  );
  record(ledger, many);
  expect(ledger.entries(PROJECT, { kind: 'features_recorded' }).length).toBeGreaterThan(1);
  expect(readFeatures(ledger, PROJECT)).toHaveLength(60);
  expect(readFeature(ledger, PROJECT, 'F7')?.notes).not.toContain('hunter2');
  expect(differingFeatures(ledger, PROJECT)).toEqual([]);
});

it('detects and repairs a table that differs from the chain [LEDGER-2]', () => {
  const ledger = temporaryLedger();
  record(ledger, [feature('F1'), feature('F2'), feature('F3')]);
  record(ledger, [feature('F2', { tested: true, evidence: ['VER-1'] })]);
  expect(falselyTested(ledger, PROJECT)).toEqual([]);
  tamper(ledger, `UPDATE features SET body = json_set(body, '$.tested', json('true')) WHERE id = 'F1'`);
  tamper(ledger, `DELETE FROM features WHERE id = 'F3'`);
  expect(falselyTested(ledger, PROJECT)).toEqual(['F1']);
  expect(differingFeatures(ledger, PROJECT)).toEqual(['F1', 'F3']);
  expect(rebuildFeatures(ledger, PROJECT)).toEqual(['F1', 'F3']);
  expect(readFeatures(ledger, PROJECT).map(({ id, tested }) => `${id} ${tested}`)).toEqual([
    'F1 false',
    'F2 true',
    'F3 false',
  ]);
  expect(falselyTested(ledger, PROJECT)).toEqual([]);
  expect(ledger.verify(PROJECT)).toMatchObject({ ok: true });
});

it('detects a tested row whose entry does not mention it', () => {
  const ledger = temporaryLedger();
  record(ledger, [feature('F1')]);
  record(ledger, [feature('F2', { tested: true })]);
  tamper(
    ledger,
    `UPDATE features SET number = 2, body = json_set(body, '$.tested', json('true')) WHERE id = 'F1'`,
  );
  expect(falselyTested(ledger, PROJECT)).toEqual(['F1']);
});

it('delivers features to memory, without the folders of this machine [LEDGER-3]', async () => {
  const ledger = temporaryLedger();
  const store = await temporaryStore();
  record(ledger, [feature('F1', { tested: true, tested_in: '/home/ada/shop', tested_tree: 'abc' })]);
  await deliverOutbox(ledger, store);
  const [episode] = await store.list(`${PROJECT}__features`);
  expect(episode?.body).toMatchObject({ id: 'F1', tested: true, tested_tree: 'abc', tested_in: null });
});
