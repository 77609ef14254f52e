import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { describeOnBackends, SQLITE, type StoreLocation } from '../support/backends.ts';
import { createDatabase } from '../support/postgres.ts';
import { TICKETS, ticketType } from './ticket.ts';
import type { Acknowledged, WriteOrder } from './write-worker.ts';
import { startWriter } from './writers.ts';

const WRITERS = 8;

describeOnBackends('many processes at once', (backend) => {
  /** A store that nobody has opened yet. */
  async function newLocation(): Promise<StoreLocation> {
    if (backend === SQLITE) {
      const folder = mkdtempSync(join(tmpdir(), 'guardkit-sqlite-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return { path: join(folder, 'new', 'guardkit.db') };
    }
    const { url, cleanup } = await createDatabase();
    onTestFinished(cleanup);
    return { url };
  }

  async function write(work: Pick<WriteOrder, 'work' | 'count'>) {
    const location = await newLocation();
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => startWriter({ location, writer, ...work })),
    );
    await Promise.all(writers.map(({ ready }) => ready));
    for (const { begin } of writers) begin();
    const acknowledged = await Promise.all(writers.map((writer) => writer.finished()));
    const store = await openStore({ ...location, entityTypes: [ticketType] });
    onTestFinished(() => store.close());
    return { store, location, acknowledged: acknowledged.flat() };
  }

  it('lose none of 500 episodes each and double none', { timeout: 120_000 }, async () => {
    const { store, acknowledged } = await write({ work: 'own', count: 500 });
    expect(acknowledged).toHaveLength(WRITERS * 500);
    expect(acknowledged.every(({ action }) => action === 'created')).toBe(true);
    expect(await store.counts()).toEqual([
      { group: TICKETS, episodes: WRITERS * 500, versions: WRITERS * 500 },
    ]);
    const stored = new Map<string, string>();
    for await (const record of store.export()) {
      if (record.kind === 'episode') stored.set(record.entity_id, record.uuid);
    }
    expect(stored).toEqual(new Map(acknowledged.map(({ id, uuid }) => [id, uuid])));
    for (const id of ['W0-0', 'W3-250', 'W7-499']) {
      expect(await store.neighbours({ scope: 'demo', id: `P-${id}` })).toMatchObject([{ id }]);
      expect(await store.search(`single${id}`, { limit: 1 })).toMatchObject([{ entity_id: id }]);
    }
  });

  it('leave one current version of an entity that all of them write, and one chain of versions', {
    timeout: 120_000,
  }, async () => {
    const { store, acknowledged } = await write({ work: 'shared', count: 40 });
    const ids = new Set(acknowledged.map(({ id }) => id));
    expect(ids.size).toBe(10);
    for (const id of ids) {
      const writes = acknowledged.filter((write) => write.id === id);
      expect(writes.filter(({ action }) => action === 'created')).toHaveLength(1);
      const history = await store.history(TICKETS, id);
      expect(history.filter(({ expired_at }) => expired_at === null)).toHaveLength(1);
      expect(new Set(history.map(({ uuid }) => uuid))).toEqual(new Set(writes.map(({ uuid }) => uuid)));
      for (const [index, version] of history.entries()) {
        const next = history[index + 1];
        expect(version.expired_at).toBe(next?.created_at ?? null);
        expect(version.invalid_at).toBe(next?.valid_at ?? null);
        expect(previousOf(writes, next?.uuid)).toBe(next && version.uuid);
      }
    }
  });

  it('open a store that none of them has opened before', async () => {
    const location = await newLocation();
    if ('path' in location) expect(existsSync(location.path)).toBe(false);
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => openStore({ ...location })));
    for (const store of stores) {
      expect(await store.counts()).toEqual([]);
      await store.close();
    }
  });
});

/** Which version the write of `uuid` says that it closed. */
function previousOf(writes: readonly Acknowledged[], uuid: string | undefined): string | undefined {
  return writes.find((write) => write.uuid === uuid)?.previousUuid;
}
