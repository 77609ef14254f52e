import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Episode } from '../../src/domain/entities/episode.ts';
import type { EpisodeStore, ListOptions } from '../../src/store/episode-store.ts';
import { describeOnBackends } from '../support/backends.ts';
import { THOROUGH } from '../support/thorough.ts';
import type { FakeClock } from './fake-clock.ts';
import { exported, openForTest } from './open-for-test.ts';
import { anySteps, dayTime, ENTITIES, LABELS, type Step, StoreModel } from './store-model.ts';
import { ticket } from './ticket.ts';

const RUNS = THOROUGH ? 15 : 3;

function input(group: string, step: Extract<Step, { type: 'upsert' }>, today: number) {
  const valid = step.since === undefined ? {} : { valid_at: dayTime(today - step.since) };
  return ticket(step.entity, { title: step.label, labels: [step.label] }, { group, ...valid });
}

/** Runs the steps on the store and on the model, whose answers must agree. */
async function replay(
  store: EpisodeStore,
  clock: FakeClock,
  group: string,
  steps: readonly Step[],
): Promise<StoreModel> {
  const model = new StoreModel();
  for (const step of steps) {
    const expected = model.apply(step);
    clock.set(dayTime(model.today));
    const answer =
      step.type === 'delete'
        ? await store.delete(group, step.entity)
        : (await store.upsert(input(group, step, model.today))).action;
    expect(answer).toBe(expected);
  }
  return model;
}

const view = (episodes: readonly Episode[]) =>
  Object.fromEntries(episodes.map(({ entity_id, body }) => [entity_id, body.title]));

describeOnBackends('any sequence of writes', (backend) => {
  /** Every run has its own project, since opening a store takes longer than a run. */
  async function forAnySteps(
    check: (store: EpisodeStore, group: string, model: StoreModel, steps: readonly Step[]) => Promise<void>,
  ) {
    const { store, clock } = await openForTest(backend);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        run += 1;
        const group = `run-${run}__tickets`;
        await check(store, group, await replay(store, clock, group, steps), steps);
      }),
      { numRuns: RUNS },
    );
  }

  it('is read back like a list of statements, at every moment on both axes [MEM-5]', async () => {
    await forAnySteps(async (store, group, model) => {
      const list = async (options: ListOptions) => view(await store.list(group, options));
      expect(await list({})).toEqual(model.view());
      for (let knownOn = 0; knownOn <= model.today; knownOn++) {
        expect(await list({ asOf: { knownAt: dayTime(knownOn) } })).toEqual(model.view({ knownOn }));
      }
      for (let validOn = -13; validOn <= 25; validOn += 2) {
        expect(await list({ asOf: dayTime(validOn) })).toEqual(model.view({ validOn }));
        const knownOn = Math.floor(model.today / 2);
        const asOf = { validAt: dayTime(validOn), knownAt: dayTime(knownOn) };
        expect(await list({ asOf })).toEqual(model.view({ validOn, knownOn }));
        for (const entity of ENTITIES) {
          const episode = await store.get(group, entity, { asOf });
          expect(episode?.body.title).toBe(model.labelOf(entity, { validOn, knownOn }));
        }
      }
    });
  });

  it('is filtered by what is in force at the moment, and by nothing else', async () => {
    await forAnySteps(async (store, group, model) => {
      for (const label of LABELS) {
        const where = [{ field: 'labels', op: 'eq', value: label } as const];
        const ids = async (options: ListOptions) =>
          (await store.list(group, { where, ...options })).map(({ entity_id }) => entity_id).sort();
        const expected = (moment: { validOn?: number }) =>
          Object.entries(model.view(moment)).flatMap(([entity, held]) => (held === label ? [entity] : []));
        expect(await ids({})).toEqual(expected({}));
        const found = await store.search(label, { groups: [group] });
        expect(found.map(({ entity_id }) => entity_id).sort()).toEqual(expected({}));
        for (let validOn = -13; validOn <= 25; validOn += 3) {
          expect(await ids({ asOf: dayTime(validOn) })).toEqual(expected({ validOn }));
          const past = await store.search(label, { groups: [group], asOf: dayTime(validOn) });
          expect(past.map(({ entity_id }) => entity_id).sort()).toEqual(expected({ validOn }));
        }
      }
    });
  });

  it('leaves a history in which each version ends where the next starts', async () => {
    await forAnySteps(async (store, group, model) => {
      for (const entity of ENTITIES) {
        const history = await store.history(group, entity);
        expect(history.map(({ body }) => body.title)).toEqual(model.history(entity));
        for (const [index, version] of history.entries()) {
          const next = history[index + 1];
          if (next) expect(version.expired_at !== null && version.expired_at <= next.created_at).toBe(true);
          expect(version.expired_at === null).toBe(version.invalid_at === null);
          if (version.invalid_at !== null) expect(version.invalid_at >= version.valid_at).toBe(true);
        }
        const open = history.filter(({ expired_at }) => expired_at === null);
        expect(open.map(({ uuid }) => uuid)).toEqual(
          (await store.find(entity, { groups: [group] })).map(({ uuid }) => uuid),
        );
      }
    });
  });

  it('changes nothing when the last body of an entity is written again', async () => {
    await forAnySteps(async (store, group, model, steps) => {
      const before = await exported(store, [group]);
      for (const step of steps) {
        if (step.type !== 'upsert' || model.labelOf(step.entity) !== step.label) continue;
        expect((await store.upsert(input(group, step, model.today))).action).toBe('unchanged');
      }
      expect(await exported(store, [group])).toEqual(before);
    });
  });

  it('survives a copy unchanged', async () => {
    const { store: copy } = await openForTest(backend);
    await forAnySteps(async (store, group) => {
      const records = await exported(store, [group]);
      expect(await copy.import(records)).toEqual({ added: records.length, unchanged: 0 });
      expect(await exported(copy, [group])).toEqual(records);
    });
  });
});
