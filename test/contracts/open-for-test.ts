import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { EpisodeStore, ExportRecord } from '../../src/store/episode-store.ts';
import type { Backend, OpenedStore } from '../support/backends.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { TYPES_WITH_TICKET } from './ticket.ts';

/** An empty store with its own clock, removed after the test. */
export async function openForTest(backend: Backend): Promise<{
  store: EpisodeStore;
  clock: FakeClock;
  opened: OpenedStore;
}> {
  const clock = fakeClock();
  const opened = await backend.open({ clock, entityTypes: TYPES_WITH_TICKET });
  onTestFinished(() => opened.cleanup());
  return { store: opened.store, clock, opened };
}

/** One store for all independent tests of a suite, since opening one takes longer than using it. */
export function openForSuite(
  backend: Backend,
  fill: (store: EpisodeStore, clock: FakeClock) => Promise<void> = async () => {},
): () => EpisodeStore {
  let opened: OpenedStore | undefined;
  beforeAll(async () => {
    const clock = fakeClock();
    opened = await backend.open({ clock, entityTypes: TYPES_WITH_TICKET });
    await fill(opened.store, clock);
  });
  afterAll(() => opened?.cleanup());
  return () => {
    if (!opened) throw new Error('the store of this suite could not be opened');
    return opened.store;
  };
}

/** The whole content of a store, as exported. */
export async function exported(store: EpisodeStore, groups?: readonly string[]): Promise<ExportRecord[]> {
  const records: ExportRecord[] = [];
  for await (const record of store.export({ groups })) records.push(record);
  return records;
}

/** Every part of an expected refusal that a caller may rely on. */
export function refusal(code: string, message?: string | RegExp): unknown {
  const found = message === undefined ? {} : { message: expect.stringMatching(message) };
  return expect.objectContaining({ name: 'GuardKitError', code, hint: expect.stringMatching(/./), ...found });
}
