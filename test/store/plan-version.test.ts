import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CurrentVersion, closeVersion, planImport, planUpsert } from '../../src/store/plan-version.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function version(changes: Partial<CurrentVersion> = {}): CurrentVersion {
  return {
    uuid: 'u1',
    contentHash: 'old',
    validAt: 100,
    invalidAt: null,
    createdAt: 100,
    expiredAt: null,
    ...changes,
  };
}

function at(millis: number): string {
  return new Date(millis).toISOString();
}

describe('planning an upsert', () => {
  it('creates an open version, valid from now, if there is none', () => {
    expect(planUpsert({ contentHash: 'new', validAt: undefined }, undefined, 500)).toEqual({
      type: 'create',
      version: {
        uuid: expect.stringMatching(UUID),
        validAt: 500,
        invalidAt: null,
        createdAt: 500,
        expiredAt: null,
      },
    });
  });

  it('keeps the version with the same content, even with another time', () => {
    const plan = planUpsert({ contentHash: 'old', validAt: at(5) }, version(), 500);
    expect(plan).toEqual({ type: 'unchanged', uuid: 'u1' });
  });

  it('closes the current version on both axes where the new one starts', () => {
    const plan = planUpsert({ contentHash: 'new', validAt: at(300) }, version(), 500);
    expect(plan).toEqual({
      type: 'update',
      version: expect.objectContaining({ validAt: 300, invalidAt: null, createdAt: 500, expiredAt: null }),
      close: { uuid: 'u1', invalidAt: 300, expiredAt: 500 },
    });
  });

  it('leaves a version replaced from before its start with no time in which it was true', () => {
    const plan = planUpsert({ contentHash: 'new', validAt: at(50) }, version({ validAt: 100 }), 500);
    expect(plan).toMatchObject({ close: { invalidAt: 100 }, version: { validAt: 50 } });
  });

  it('never dates a version before the one it replaces, when the clock was set back', () => {
    const plan = planUpsert(
      { contentHash: 'new', validAt: undefined },
      version({ createdAt: 900, validAt: 900 }),
      500,
    );
    expect(plan).toMatchObject({
      version: { createdAt: 900, validAt: 900 },
      close: { invalidAt: 900, expiredAt: 900 },
    });
  });

  it('refuses a time further in the future than clocks differ', () => {
    const inHours = (hours: number) => ({ contentHash: 'new', validAt: at(hours * 3_600_000) });
    expect(() => planUpsert(inHours(25), undefined, 0)).toThrow(
      expect.objectContaining({ code: 'time.future', kind: 'input' }),
    );
  });

  it('treats the near future of a fast clock as the present', () => {
    const input = { contentHash: 'new', validAt: at(3_600_000) };
    expect(planUpsert(input, undefined, 0)).toMatchObject({ version: { validAt: 0, createdAt: 0 } });
  });

  it('gives every version a uuid of its own', () => {
    const one = planUpsert({ contentHash: 'new', validAt: undefined }, undefined, 1);
    const two = planUpsert({ contentHash: 'new', validAt: undefined }, undefined, 1);
    expect(one).not.toEqual(two);
  });

  it('never lets two versions of one entity be known at the same time, nor end before they begin', () => {
    const millis = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        millis,
        millis,
        millis,
        fc.option(millis, { nil: undefined }),
        (validAt, createdAt, now, given) => {
          const current = version({ validAt, createdAt });
          const plan = planUpsert(
            { contentHash: 'new', validAt: given === undefined ? undefined : at(given) },
            current,
            now,
          );
          if (plan.type !== 'update') throw new Error('a changed body is an update');
          expect(plan.close.expiredAt).toBe(plan.version.createdAt);
          expect(plan.close.expiredAt).toBeGreaterThanOrEqual(current.createdAt);
          expect(plan.close.invalidAt).toBeGreaterThanOrEqual(current.validAt);
        },
      ),
    );
  });
});

describe('closing a version', () => {
  it('ends it at the given times', () => {
    expect(closeVersion(version(), 300, 500)).toEqual({ uuid: 'u1', invalidAt: 300, expiredAt: 500 });
  });

  it('never ends it before its start', () => {
    const future = version({ validAt: 900, createdAt: 800 });
    expect(closeVersion(future, 300, 500)).toEqual({ uuid: 'u1', invalidAt: 900, expiredAt: 800 });
  });
});

describe('planning an import', () => {
  const record = version({ uuid: 'r1', contentHash: 'other', validAt: 200, createdAt: 200 });

  it('skips a version that already exists', () => {
    expect(planImport(record, { expiredAt: null }, record)).toEqual({ type: 'skip' });
    expect(planImport(record, { expiredAt: 300 }, undefined)).toEqual({ type: 'skip' });
  });

  it('closes a version that is open here and closed elsewhere', () => {
    const closed = { ...record, invalidAt: 300, expiredAt: 310 };
    expect(planImport(closed, { expiredAt: null }, record)).toEqual({
      type: 'close',
      close: { uuid: 'r1', invalidAt: 300, expiredAt: 310 },
    });
  });

  it('imports an open version unchanged if the entity has none', () => {
    expect(planImport(record, undefined, undefined)).toEqual({ type: 'insert', times: record });
  });

  it('imports a closed version unchanged next to the current one', () => {
    const closed = version({ uuid: 'r1', invalidAt: 150, expiredAt: 160 });
    expect(planImport(closed, undefined, version())).toEqual({ type: 'insert', times: closed });
  });

  it('skips an open version equal to the current one', () => {
    expect(planImport({ ...record, contentHash: 'old' }, undefined, version())).toEqual({ type: 'skip' });
  });

  it('lets a newer open version replace the current one', () => {
    expect(planImport(record, undefined, version())).toEqual({
      type: 'insert',
      times: record,
      close: { uuid: 'u1', invalidAt: 200, expiredAt: 200 },
    });
  });

  it('imports an older open version as closed by the current one', () => {
    const current = version({ validAt: 300, createdAt: 300 });
    expect(planImport(record, undefined, current)).toEqual({
      type: 'insert',
      times: { ...record, invalidAt: 300, expiredAt: 300 },
    });
  });

  it('decides the same on both sides, whichever store imports the other, so that both have the same version', () => {
    const millis = fc.integer({ min: 0, max: 5 });
    const open = (uuid: string, contentHash: string) =>
      fc
        .record({ validAt: millis, createdAt: millis })
        .map((times) => version({ ...times, uuid, contentHash }));
    const isOpen = (plan: ReturnType<typeof planImport>) =>
      plan.type === 'insert' && plan.times.expiredAt === null;
    fc.assert(
      fc.property(open('a', 'content of a'), open('b', 'content of b'), (a, b) => {
        expect(isOpen(planImport(a, undefined, b))).toBe(!isOpen(planImport(b, undefined, a)));
      }),
    );
  });
});
