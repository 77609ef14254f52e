import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EpisodeStore } from '../../src/store/episode-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Backend, describeOnBackends, SQLITE, type StoreLocation } from '../support/backends.ts';
import { createDatabase } from '../support/postgres.ts';
import { THOROUGH } from '../support/thorough.ts';
import { TICKETS, ticketType } from './ticket.ts';
import type { Acknowledged } from './write-worker.ts';
import { startWriter } from './writers.ts';

const WRITERS = THOROUGH ? 8 : 4;
const OWN = THOROUGH ? 500 : 30;
const SHARED = THOROUGH ? 40 : 10;

/** A store that nobody has opened yet. */
async function newLocation(
  backend: Backend,
): Promise<{ location: StoreLocation; remove: () => Promise<void> }> {
  if (backend === SQLITE) {
    const folder = mkdtempSync(join(tmpdir(), 'guardkit-sqlite-'));
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { location: { path: join(folder, 'new', 'guardkit.db') }, remove };
  }
  const { url, cleanup } = await createDatabase();
  return { location: { url }, remove: cleanup };
}

describeOnBackends(`${WRITERS} processes at once`, (backend) => {
  let store: EpisodeStore;
  let acknowledged: Acknowledged[];
  let cleanup = async () => {};

  beforeAll(async () => {
    const { location, remove } = await newLocation(backend);
    cleanup = remove;
    if ('path' in location) expect(existsSync(location.path)).toBe(false);
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        startWriter({ location, writer, work: { own: OWN, shared: SHARED } }),
      ),
    );
    await Promise.all(writers.map(({ ready }) => ready));
    for (const { begin } of writers) begin();
    acknowledged = (await Promise.all(writers.map((writer) => writer.finished()))).flat();
    store = await openStore({ ...location, entityTypes: [ticketType] });
  }, 180_000);

  afterAll(async () => {
    await store?.close();
    await cleanup();
  });

  it('open a new store, and all their writes succeed', () => {
    expect(acknowledged).toHaveLength(WRITERS * (OWN + SHARED));
  });

  it('lose and duplicate no episode [MEM-2]', async () => {
    const own = acknowledged.filter(({ id }) => id.startsWith('W'));
    expect(own).toHaveLength(WRITERS * OWN);
    expect(own.every(({ action }) => action === 'created')).toBe(true);
    const stored = new Map<string, string>();
    for await (const record of store.export()) {
      if (record.kind !== 'episode' || !record.entity_id.startsWith('W')) continue;
      expect(stored.has(record.entity_id)).toBe(false);
      stored.set(record.entity_id, record.uuid);
    }
    expect(stored).toEqual(new Map(own.map(({ id, uuid }) => [id, uuid])));
    expect(await store.counts()).toMatchObject([{ group: TICKETS, episodes: WRITERS * OWN + 10 }]);
  });

  it('leave what they wrote in every index', async () => {
    for (const id of ['W0-0', `W2-${OWN / 2}`, `W${WRITERS - 1}-${OWN - 1}`]) {
      const byLabel = await store.list(TICKETS, { where: [{ field: 'labels', op: 'eq', value: id }] });
      expect(byLabel).toMatchObject([{ entity_id: id }]);
      expect(await store.neighbours({ scope: 'demo', id: `P-${id}` })).toMatchObject([{ id }]);
      expect(await store.search(`title${id}`, { limit: 1 })).toMatchObject([{ entity_id: id }]);
    }
  });

  it('leave one current version of an entity that all of them write, and one chain of versions [MEM-2]', async () => {
    for (const id of Array.from({ length: 10 }, (_, number) => `S-${number}`)) {
      const writes = acknowledged.filter((write) => write.id === id);
      expect(writes).toHaveLength((WRITERS * SHARED) / 10);
      expect(writes.filter(({ action }) => action === 'created')).toHaveLength(1);
      const history = await store.history(TICKETS, id);
      expect(history.filter(({ expired_at }) => expired_at === null)).toHaveLength(1);
      expect(new Set(history.map(({ uuid }) => uuid))).toEqual(new Set(writes.map(({ uuid }) => uuid)));
      for (const [index, version] of history.entries()) {
        const next = history[index + 1];
        expect(version.expired_at).toBe(next?.created_at ?? null);
        expect(version.invalid_at).toBe(next?.valid_at ?? null);
        const previous = writes.find((write) => write.uuid === next?.uuid)?.previousUuid;
        expect(previous).toBe(next && version.uuid);
      }
    }
  });
});
