import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectGroup } from '../../../src/domain/entities/group.ts';
import { extractPatterns } from '../../../src/learning/patterns/extract-patterns.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { openMemory, PROJECT, THRESHOLDS, type TraceParts, traceBody } from '../memory.ts';

const ONE: TraceParts = { session: 's1', feature: 'FEAT-1' };
const OTHER: TraceParts = { session: 's2', feature: 'FEAT-2' };

it('each trace is read once, and a pattern grows with new ones', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE);
  expect(await memory.extract()).toMatchObject({ read: 2, patterns: [], changed: [] });
  await memory.tell(OTHER);
  const first = await memory.extract();
  expect(first).toMatchObject({ read: 1, patterns: [{ count: 3 }] });
  expect(first.changed).toEqual([first.patterns[0]?.pattern_id]);
  expect(await memory.extract()).toMatchObject({ read: 0, patterns: [{ count: 3 }], changed: [] });
  memory.wait(60_000);
  await memory.tell(OTHER);
  expect(await memory.extract()).toMatchObject({ read: 1, patterns: [{ count: 4 }] });
});

it('a trace that is stored again does not count twice', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE);
  await memory.extract();
  memory.wait(3_600_000);
  await memory.store.upsert({
    group: projectGroup(PROJECT, 'traces'),
    entity_type: 'trace',
    entity_id: 'TRACE-x-1',
    body: traceBody({ ...OTHER, what: 'Told in other words' }),
  });
  expect(await memory.extract()).toMatchObject({ read: 0, patterns: [] });
});

it('the patterns are the same in one run or several', async () => {
  const told = Array.from({ length: 60 }, (_, at): TraceParts => {
    const guard = ['block-tested-true', 'secrets', 'protected-set'][at % 3];
    return { session: `s${at % 7}`, feature: `FEAT-${at % 4}`, ...(guard === undefined ? {} : { guard }) };
  });
  const atOnce = await openMemory();
  await atOnce.tell(...told);
  const bitByBit = await openMemory();
  for (let at = 0; at < told.length; at += 7) {
    await bitByBit.tell(...told.slice(at, at + 7));
    await bitByBit.extract();
  }
  const timeless = ({ patterns }: Awaited<ReturnType<typeof extractPatterns>>) =>
    patterns.map(({ first_at: _f, last_at: _l, examples, ...rest }) => ({
      ...rest,
      examples: examples.length,
    }));
  const found = timeless(await atOnce.extract());
  expect(found).toHaveLength(3);
  expect(timeless(await bitByBit.extract())).toEqual(found);
});

it('two concurrent processes count each trace once', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE, OTHER);
  const second = openLedger({ path: memory.ledgerPath });
  try {
    const results = await Promise.all([
      memory.extract(),
      extractPatterns({ ledger: second, store: memory.store, project: PROJECT, thresholds: THRESHOLDS }),
    ]);
    expect(results.reduce((sum, { read }) => sum + read, 0)).toBe(3);
  } finally {
    second.close();
  }
  expect((await memory.extract()).patterns).toMatchObject([{ count: 3 }]);
});

it('patterns that a failing store missed are stored the next time', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE, OTHER);
  const failing = {
    info: () => memory.store.info(),
    list: memory.store.list.bind(memory.store),
    upsertMany: () => Promise.reject(new Error('away')),
    delete: memory.store.delete.bind(memory.store),
  };
  await expect(
    extractPatterns({ ledger: memory.ledger, store: failing, project: PROJECT, thresholds: THRESHOLDS }),
  ).rejects.toThrow('away');
  expect(await memory.extract()).toMatchObject({ read: 0, patterns: [{ count: 3 }] });
});

it('changed thresholds apply to known traces', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, OTHER);
  expect((await memory.extract()).patterns).toEqual([]);
  expect((await memory.extract({ count: 2, features: 2, sessions: 2 })).patterns).toMatchObject([
    { count: 2 },
  ]);
});

it('another store is read from the start', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE, OTHER);
  await memory.extract();
  const store = await openSqliteStore({ path: join(memory.folder, 'other.db') });
  try {
    const { ledger } = memory;
    expect(await extractPatterns({ ledger, store, project: PROJECT, thresholds: THRESHOLDS })).toMatchObject({
      read: 0,
      patterns: [],
    });
  } finally {
    await store.close();
  }
  expect(await memory.extract()).toMatchObject({ read: 3, patterns: [{ count: 3 }] });
});

it('refusals of a learned guard add to its pattern, and make no new one', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE, OTHER);
  const [pattern] = (await memory.extract()).patterns;
  const guard = `learned-p${pattern?.pattern_id.slice(-12)}`;
  await memory.tell({ ...ONE, guard }, { ...OTHER, guard }, { session: 's3', feature: 'FEAT-3', guard });
  const { patterns } = await memory.extract();
  expect(patterns).toMatchObject([{ pattern_id: pattern?.pattern_id, count: 6, guard: 'block-tested-true' }]);
  await memory.tell(...[ONE, ONE, OTHER].map((parts) => ({ ...parts, guard: 'learned-p0123456789ab' })));
  expect((await memory.extract()).patterns).toHaveLength(1);
});

it('only a project’s own traces count', async () => {
  const memory = await openMemory();
  await memory.tell(ONE, ONE, OTHER);
  const { ledger, store } = memory;
  const other = await extractPatterns({ ledger, store, project: 'other-2', thresholds: THRESHOLDS });
  expect(other.patterns).toEqual([]);
  expect((await memory.extract()).patterns).toHaveLength(1);
});
