import { expect, it } from 'vitest';
import { NOTES, note } from '../contracts/inputs.ts';
import { openForTest } from '../contracts/open-for-test.ts';
import { describeOnBackends } from '../support/backends.ts';

describeOnBackends('after closing', (backend) => {
  it('may be closed again and refuses everything else as wrong use', async () => {
    const { opened } = await openForTest(backend);
    const store = await opened.openAnother();
    await store.upsert(note('NOTE-1', 'text'));
    await Promise.all([store.close(), store.close()]);
    await store.close();
    const calls: [name: string, call: () => Promise<unknown>][] = [
      ['get', () => store.get(NOTES, 'NOTE-1')],
      ['list', () => store.list(NOTES)],
      ['find', () => store.find('NOTE-1')],
      ['search', () => store.search('text')],
      ['search in a group', () => store.search('text', { groups: [NOTES] })],
      ['upsert', () => store.upsert(note('NOTE-1', 'other'))],
      ['upsert once', () => store.upsertMany([note('NOTE-1', 'x')], { once: { stream: 's', number: 1 } })],
      ['neighbours', () => store.neighbours({ scope: '', id: 'X' })],
      ['delete', () => store.delete(NOTES, 'NOTE-1')],
      ['purge', () => store.purge(NOTES)],
      ['import', () => store.import([])],
      ['counts', () => store.counts()],
      ['info', () => store.info()],
      ['export', () => store.export()[Symbol.asyncIterator]().next()],
    ];
    for (const [name, call] of calls) {
      await expect(call(), name).rejects.toMatchObject({ code: 'store.closed', kind: 'input' });
    }
  });
});
