import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { featureSchema } from '../../../../src/domain/entities/feature.ts';
import { hasEntry, recentEntries } from '../../../../src/store/ledger/chain/recent-entries.ts';
import type { Ledger } from '../../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../../src/store/ledger/open-ledger.ts';
import { pausedUntil } from '../../../../src/store/ledger/pause.ts';
import { unsignedRecords } from '../../../../src/store/ledger/signing/adopt-records.ts';
import { SIGNED_KINDS } from '../../../../src/store/ledger/signing/signed-kinds.ts';
import {
  differingFeatures,
  readFeature,
  readFeatures,
  recordFeatures,
} from '../../../../src/store/ledger/tables/feature-table.ts';
import { featuresWithoutEvidence } from '../../../../src/store/ledger/tables/features-without-evidence.ts';
import { cachedReads, cacheRead, findLastCached } from '../../../../src/store/ledger/tables/read-cache.ts';
import { activeWaivers } from '../../../../src/store/ledger/waivers.ts';
import { forgeEntry, writeLedger } from '../../../support/forge-entry.ts';
import { PROJECT, temporaryFolder, temporaryLedger } from '../ledger-fixture.ts';

const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const waiver = (id = 'WAIVER-1') => ({
  waiver_id: id,
  guard: 'protected-set',
  until: soon(),
  uses: null,
  reason: 'because',
  by: 'ada',
});
const pause = () => ({ until: soon(), reason: '', by: 'ada' });
const acceptance = { path: 'package.json', digest: 'a'.repeat(64), reason: 'fine', by: 'ada' };
const one = (fields = {}) => featureSchema.parse({ id: 'F1', ...fields });
const TESTED = one({ tested: true, evidence: ['VER-1'], tested_tree: 'a'.repeat(40), tested_in: '/x' });

function record(ledger: Ledger, feature = one()): void {
  recordFeatures(ledger, PROJECT, { by: 'person', actor: 'ada', features: [feature] });
}

function numbers(ledger: Ledger): number[] {
  return [...unsignedRecords(ledger.file, PROJECT)].map(({ number }) => number);
}

function reopened(ledger: Ledger): Ledger {
  const again = openLedger({ path: ledger.path });
  onTestFinished(() => again.close());
  return again;
}

/** As the version before this one left it. */
function asBefore(ledger: Ledger): void {
  writeLedger(ledger.path, 'DELETE FROM signatures', 'DELETE FROM seals', "UPDATE readings SET seal = ''");
  rmSync(join(dirname(ledger.path), 'keys'), { recursive: true });
}

describe('[LEDGER-4] an entry appended by something without the key, with the right hash', () => {
  it('waives nothing', () => {
    const ledger = temporaryLedger();
    const { number } = forgeEntry(ledger.path, PROJECT, 'waiver_issued', waiver());
    expect(ledger.verify(PROJECT)).toEqual({ ok: true, entries: 1 });
    expect(activeWaivers(ledger, PROJECT, Date.now())).toEqual([]);
    expect(numbers(ledger)).toEqual([number]);
    ledger.append(PROJECT, 'waiver_issued', waiver('WAIVER-2'));
    expect(activeWaivers(ledger, PROJECT, Date.now())).toMatchObject([{ id: 'WAIVER-2' }]);
    expect(activeWaivers(reopened(ledger), PROJECT, Date.now())).toMatchObject([{ id: 'WAIVER-2' }]);
  });

  it('pauses nothing, and does not hide a pause', () => {
    const ledger = temporaryLedger();
    forgeEntry(ledger.path, PROJECT, 'protection_paused', pause());
    expect(pausedUntil(ledger, PROJECT, Date.now())).toBeUndefined();
    const until = pause();
    ledger.append(PROJECT, 'protection_paused', until);
    forgeEntry(ledger.path, PROJECT, 'protection_paused', { ...pause(), until: '2000-01-01T00:00:00.000Z' });
    expect(pausedUntil(ledger, PROJECT, Date.now())).toBe(until.until);
  });

  it.each([...SIGNED_KINDS])('is read as %s by nobody', (kind) => {
    const ledger = temporaryLedger();
    forgeEntry(ledger.path, PROJECT, kind, { feature_id: 'F1', tree: 'x', task_id: 'T1' });
    expect(ledger.entries(PROJECT)).toEqual([]);
    expect(ledger.entries(PROJECT, { kind })).toEqual([]);
    for (const field of ['feature_id', 'tree', 'task_id'] as const)
      expect([
        ...ledger.lookup(PROJECT, {
          kind,
          field,
          value: { feature_id: 'F1', tree: 'x', task_id: 'T1' }[field],
        }),
      ]).toEqual([]);
    expect([...recentEntries(ledger, PROJECT, [kind])]).toEqual([]);
    expect(hasEntry(ledger, PROJECT, kind)).toBe(false);
    expect(numbers(ledger)).toEqual([1]);
  });

  it('tests no feature, even with a row in the table', () => {
    const ledger = temporaryLedger();
    record(ledger);
    const { number } = forgeEntry(ledger.path, PROJECT, 'features_recorded', {
      by: 'verification',
      actor: 'guardkit',
      features: [TESTED],
      removed: [],
    });
    writeLedger(
      ledger.path,
      `UPDATE features SET number = ${number}, body = '${JSON.stringify(TESTED)}' WHERE id = 'F1'`,
    );
    for (const seen of [ledger, reopened(ledger)]) {
      expect(readFeature(seen, PROJECT, 'F1')?.tested).toBe(false);
      expect(readFeatures(seen, PROJECT)).toMatchObject([{ id: 'F1', tested: false }]);
      expect(differingFeatures(seen, PROJECT)).toEqual(['F1']);
      expect(numbers(seen)).toEqual([number]);
    }
    record(ledger, one({ notes: 'more' }));
    expect(readFeatures(ledger, PROJECT)).toMatchObject([{ tested: false, notes: 'more' }]);
    expect(differingFeatures(ledger, PROJECT)).toEqual([]);
  });

  it('does not become valid by the signature of another entry', () => {
    const ledger = temporaryLedger();
    const signed = ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    const { number } = forgeEntry(ledger.path, PROJECT, 'acceptance_recorded', {
      ...acceptance,
      path: 'Makefile',
    });
    writeLedger(
      ledger.path,
      `INSERT INTO signatures SELECT project, ${number}, signature FROM signatures WHERE number = ${signed.number}`,
    );
    const seen = reopened(ledger).entries(PROJECT, { kind: 'acceptance_recorded' });
    expect(seen.map(({ body }) => body.path)).toEqual(['package.json']);
  });
});

describe('a signed record', () => {
  it('counts no more once its body is changed, in every process', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    expect(ledger.entries(PROJECT)).toHaveLength(1);
    writeLedger(ledger.path, `UPDATE entries SET body = json_set(body, '$.path', 'Makefile')`);
    expect(ledger.entries(PROJECT)).toEqual([]);
    expect(reopened(ledger).entries(PROJECT)).toEqual([]);
  });

  it('cannot be made with another key', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    const other = temporaryLedger();
    writeFileSync(
      join(dirname(ledger.path), 'keys', 'machine.pem'),
      readFileSync(join(dirname(other.path), 'keys', 'machine.pem')),
    );
    expect(reopened(ledger).entries(PROJECT)).toEqual([]);
  });

  it('is refused if the key is gone, and no new key is made', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    rmSync(join(dirname(ledger.path), 'keys', 'machine.pem'));
    const again = reopened(ledger);
    expect(() => again.append(PROJECT, 'acceptance_recorded', acceptance)).toThrow(/key/);
    expect(() => again.entries(PROJECT)).toThrow(/key/);
    expect(existsSync(join(dirname(ledger.path), 'keys', 'machine.pem'))).toBe(false);
  });
});

describe('tested without a signed verification', () => {
  const verification = {
    id: 'VER-1',
    feature_id: 'F1',
    task_id: null,
    tree: 'a'.repeat(40),
    base_commit: 'b'.repeat(40),
    definition_hash: 'd',
    outcome: 'pass',
    gates: [],
    sandbox: null,
    duration_ms: 1,
  };

  it.each([
    ['is noticed', undefined, ['F1']],
    ['is right with one that passed on that tree', {}, []],
    ['is noticed if it is of another tree', { tree: 'c'.repeat(40) }, ['F1']],
    ['is noticed if it failed', { outcome: 'fail' }, ['F1']],
    ['is noticed if it has another id', { id: 'VER-2' }, ['F1']],
    ['is noticed if it is of one task', { task_id: 'TASK-1' }, ['F1']],
  ])('%s', (_name, fields, found) => {
    const ledger = temporaryLedger();
    if (fields) ledger.append(PROJECT, 'verification_recorded', { ...verification, ...fields });
    forgeEntry(ledger.path, PROJECT, 'verification_recorded', verification);
    record(ledger, TESTED);
    expect(featuresWithoutEvidence(ledger, PROJECT)).toEqual(found);
  });
});

describe('a cached read', () => {
  it('that something else wrote or changed counts as absent', () => {
    const ledger = temporaryLedger();
    cacheRead(ledger, 'guards in force', '1', { settings: {} });
    expect(findLastCached(ledger, 'guards in force')?.body).toEqual({ settings: {} });
    writeLedger(
      ledger.path,
      `UPDATE readings SET body = '{"settings":{"secrets":"off"}}'`,
      `INSERT INTO readings (path, stamp, body, seal) SELECT 'other', stamp, body, seal FROM readings`,
    );
    // This connection has checked what GuardKit wrote, and does not read the row again while its seal is the same.
    expect(findLastCached(ledger, 'guards in force')?.body).toEqual({ settings: {} });
    expect(findLastCached(ledger, 'other')).toBeUndefined();
    const next = openLedger({ path: ledger.path });
    onTestFinished(() => next.close());
    for (const one of ['guards in force', 'other']) expect(findLastCached(next, one)).toBeUndefined();
    expect(cachedReads(ledger, '')).toEqual([]);
  });
});

describe('a data folder from before records were signed', () => {
  it('keeps its records: they are signed at the first start, once', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    record(ledger);
    cacheRead(ledger, 'tips', '1', { known: [] });
    asBefore(ledger);
    const first = reopened(ledger);
    expect(first.entries(PROJECT, { kind: 'acceptance_recorded' })).toHaveLength(1);
    expect(readFeatures(first, PROJECT)).toHaveLength(1);
    expect(findLastCached(first, 'tips')).toBeDefined();
    expect(first.file.signatures.mark()).toMatchObject({
      ledger: first.id,
      heads: { [PROJECT]: first.head(PROJECT) },
    });
    forgeEntry(ledger.path, PROJECT, 'acceptance_recorded', { ...acceptance, path: 'Makefile' });
    expect(reopened(ledger).entries(PROJECT, { kind: 'acceptance_recorded' })).toHaveLength(1);
  });

  it('does not become one by removing every signature from the ledger', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    writeLedger(ledger.path, 'DELETE FROM signatures', 'DELETE FROM seals');
    const { number } = forgeEntry(ledger.path, PROJECT, 'waiver_issued', waiver());
    const again = reopened(ledger);
    expect(again.entries(PROJECT)).toEqual([]);
    expect(numbers(again)).toEqual([1, number]);
  });

  it('does not become one by another ledger in its place', () => {
    const ledger = temporaryLedger();
    ledger.append(PROJECT, 'acceptance_recorded', acceptance);
    ledger.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${ledger.path}${suffix}`, { force: true });
    const other = temporaryLedger();
    forgeEntry(other.path, PROJECT, 'waiver_issued', waiver());
    other.file.database.pragma('wal_checkpoint(TRUNCATE)');
    writeFileSync(ledger.path, readFileSync(other.path), { mode: 0o600 });
    expect(activeWaivers(reopened(ledger), PROJECT, Date.now())).toEqual([]);
  });

  it('may be opened by two processes at once', () => {
    const folder = temporaryFolder();
    const [first, second] = [1, 2].map(() => temporaryLedger({ path: join(folder, 'ledger.db') }));
    first?.append(PROJECT, 'acceptance_recorded', acceptance);
    expect(second?.entries(PROJECT)).toHaveLength(1);
  });
});
