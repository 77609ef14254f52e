import { expect, it, onTestFinished } from 'vitest';
import { EmbeddingClient } from '../../src/store/embeddings/embedding-client.ts';
import { type Backend, describeOnSqliteFirst } from '../support/backends.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';

const NOTES = 'demo__successful_fixes';

function note(entity_id: string, text: string) {
  return { group: NOTES, entity_type: 'note', entity_id, body: { title: entity_id, text } };
}

async function openWith(
  backend: Backend,
  server: EmbeddingServer,
  settings: { apiKey?: string; timeoutMs?: number } = {},
) {
  const embeddingClient = new EmbeddingClient({
    baseUrl: server.baseUrl,
    model: 'tiny',
    timeoutMs: 10_000,
    ...settings,
  });
  const opened = await backend.open({ embeddingClient });
  onTestFinished(() => opened.cleanup());
  return opened.store;
}

describeOnSqliteFirst('vectors', (backend) => {
  it('find by meaning what the query’s words do not match, ranked below word matches', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server);
    await store.upsertMany([note('N-1', 'The automobile would not start'), note('N-2', 'A slow query')]);
    await store.embed();
    const hits = await store.search('vehicle', { groups: [NOTES] });
    expect(hits.map(({ entity_id }) => entity_id)).toEqual(['N-1']);
    expect(hits[0]?.score).toBeGreaterThan(0);
    expect(hits[0]?.score).toBeLessThanOrEqual(0.2);
    await store.upsert(note('N-3', 'The vehicle register'));
    await store.embed();
    expect((await store.search('vehicle', { groups: [NOTES] })).map(({ entity_id }) => entity_id)).toEqual([
      'N-3',
      'N-1',
    ]);
  });

  it('are created after a write without a request', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server);
    await store.upsert(note('N-1', 'The automobile would not start'));
    await server.requests(1);
    await store.close();
    expect(server.texts).toEqual(['note N-1\nThe automobile would not start']);
  });

  it('are created for current versions only, once, and counted', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server);
    server.behave('fail');
    await store.upsert(note('N-1', 'one'));
    await store.upsert(note('N-1', 'two'));
    await store.upsert(note('N-2', 'three'));
    server.behave('answer');
    await store.embed();
    expect(await store.embed()).toBe(0);
    expect((await store.info()).embeddings).toEqual({
      enabled: true,
      model: 'tiny',
      embedded: 2,
      pending: 0,
    });
  });

  it('are created for episodes written after the newest were purged', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server);
    await store.upsertMany([note('N-1', 'one'), note('N-2', 'two')]);
    await store.embed();
    await store.purge(NOTES);
    await store.upsert(note('N-3', 'The automobile would not start'));
    await store.embed();
    expect((await store.info()).embeddings).toMatchObject({ embedded: 1, pending: 0 });
    expect(await store.search('vehicle', { groups: [NOTES] })).toHaveLength(1);
  });

  it('find only what matches the field filters', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server);
    await store.upsertMany([note('N-1', 'The automobile would not start'), note('N-2', 'An automobile')]);
    await store.embed();
    const where = [{ field: 'entity_id', op: 'eq', value: 'N-2' } as const];
    const hits = await store.search('vehicle', { groups: [NOTES], where });
    expect(hits.map(({ entity_id }) => entity_id)).toEqual(['N-2']);
  });

  it('are created from scrubbed text, and the key goes only to the endpoint', async () => {
    const server = await startEmbeddingServer();
    const store = await openWith(backend, server, { apiKey: 'key-for-vectors' });
    await store.upsert(note('N-1', `it said ${'AKIA'}${'IOSFODNN7EXAMPLE'} aloud`));
    await store.embed();
    expect(server.texts.join()).toContain('[scrubbed:');
    expect(server.texts.join()).not.toContain('IOSFODNN7');
    expect(server.authorizations[0]).toBe('Bearer key-for-vectors');
    expect(JSON.stringify(await store.info())).not.toContain('key-for-vectors');
  });

  it.each(['hang', 'fail', 'nonsense', 'redirect'] as const)(
    'affect nothing else when the endpoint does this: %s [FIND-4]',
    async (behaviour) => {
      const server = await startEmbeddingServer();
      server.behave(behaviour);
      const store = await openWith(backend, server, behaviour === 'hang' ? { timeoutMs: 400 } : {});
      expect(await store.upsert(note('N-1', 'The automobile would not start'))).toMatchObject({
        action: 'created',
      });
      const hits = await store.search('automobile', { groups: [NOTES] });
      expect(hits.map(({ entity_id }) => entity_id)).toEqual(['N-1']);
      await expect(store.embed()).rejects.toMatchObject({ code: 'embeddings.failed', kind: 'outside' });
      expect((await store.info()).embeddings).toMatchObject({ embedded: 0, pending: 1 });
      server.behave('answer');
      // Not by how many it made: those after the write may be made in the background by now.
      await store.embed();
      expect((await store.info()).embeddings).toMatchObject({ embedded: 1, pending: 0 });
    },
  );

  it('affect nothing else without an endpoint [FIND-4]', async () => {
    const embeddingClient = new EmbeddingClient({ baseUrl: 'http://127.0.0.1:1/v1', model: 'tiny' });
    const opened = await backend.open({ embeddingClient });
    onTestFinished(() => opened.cleanup());
    await opened.store.upsert(note('N-1', 'The automobile would not start'));
    expect(await opened.store.search('automobile')).toHaveLength(1);
  });
});
