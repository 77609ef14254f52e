import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLOCKED_BEFORE,
  findLeft,
  isDone,
  NOT_REACHED,
  nextRunnable,
  type SessionFeature,
} from '../../../src/orchestration/session/next-runnable.ts';
import { runs } from '../../support/thorough.ts';
import { feature } from './session-fixture.ts';

const done: Partial<SessionFeature> = { status: 'completed', tested: true, evidence: ['EV-1'] };

describe('the next feature', () => {
  it.each([
    ['is the most urgent', [feature('A'), feature('B', { priority: 1 })], 'B'],
    ['is the first in the list among equals', [feature('B'), feature('A')], 'B'],
    [
      'is not one that waits',
      [feature('A', { priority: 1, dependencies: ['B'] }), feature('B', { priority: 5 })],
      'B',
    ],
    ['may depend on a done feature', [feature('A', done), feature('B', { dependencies: ['A'] })], 'B'],
    [
      'may depend on a merged feature',
      [feature('A', { closed: true }), feature('B', { dependencies: ['A'] })],
      'B',
    ],
    ['is one that is only claimed to be done', [feature('A', { status: 'completed' })], 'A'],
    ['is one that is marked tested without evidence', [feature('A', { ...done, evidence: [] })], 'A'],
    ['is none that is blocked', [feature('A', { status: 'blocked' })], undefined],
    ['is none that failed twice', [feature('A', { retries: 2 })], undefined],
    ['is none that depends on itself', [feature('A', { dependencies: ['A'] })], undefined],
    ['is none with an unknown dependency', [feature('A', { dependencies: ['__proto__'] })], undefined],
    ['is none of none', [], undefined],
  ])('%s', (_case, features, expected) => {
    expect(nextRunnable(features)?.id).toBe(expected);
  });

  it('is one of the requested features', () => {
    const features = [feature('A'), feature('B')];
    expect(nextRunnable(features, { only: ['B'] })?.id).toBe('B');
    expect(nextRunnable(features, { completed: ['A'], blocked: ['B'] })).toBeNull();
  });
});

it('unfinished features are listed with the reason', () => {
  const features = [
    feature('A', { status: 'blocked' }),
    feature('B', { dependencies: ['A'] }),
    feature('C', { dependencies: ['D'] }),
    feature('D', { dependencies: ['E'] }),
    feature('E', { dependencies: ['D'] }),
    feature('F', { dependencies: ['gone'] }),
    feature('G', done),
    feature('H', { retries: 2 }),
    feature('I'),
  ];
  expect(findLeft(features)).toEqual([
    { feature: 'A', why: BLOCKED_BEFORE },
    { feature: 'B', why: expect.stringMatching(/\bA\b/) },
    { feature: 'C', why: expect.stringMatching(/\bD\b/) },
    { feature: 'D', why: expect.stringContaining('D → E → D') },
    { feature: 'E', why: expect.stringContaining('D → E → D') },
    { feature: 'F', why: expect.stringMatching(/\bgone\b/) },
    { feature: 'H', why: expect.stringMatching(/\b2\b/) },
    { feature: 'I', why: NOT_REACHED },
  ]);
});

it('a feature that depends on one that was not requested says so', () => {
  const features = [feature('A'), feature('B', { dependencies: ['A'] })];
  const why = (only: string[] | null) =>
    findLeft(features, { only }).find((one) => one.feature === 'B')?.why ?? '';
  expect(why(['B'])).toMatch(/\bA\b/);
  expect(why(['B'])).not.toBe(why(null));
});

it('a feature is chosen if and only if one is open with all dependencies done', () => {
  const features = fc
    .array(
      fc.record({
        priority: fc.integer({ min: 1, max: 4 }),
        isDone: fc.boolean(),
        to: fc.array(fc.nat(8), { maxLength: 3 }),
      }),
      { maxLength: 8 },
    )
    .map((rows) =>
      rows.map(({ priority, isDone: finished, to }, n) =>
        feature(`F${n}`, { priority, dependencies: to.map((id) => `F${id}`), ...(finished ? done : {}) }),
      ),
    );
  fc.assert(
    fc.property(features, (all) => {
      const finished = all.filter(isDone).map(({ id }) => id);
      const free = all.filter(
        (one) => !isDone(one) && one.dependencies.every((other) => finished.includes(other)),
      );
      const [best] = [...free].sort((one, other) => one.priority - other.priority);
      expect(nextRunnable(all)).toBe(best ?? null);
      expect(findLeft(all)).toHaveLength(all.length - finished.length);
    }),
    { numRuns: runs(500) },
  );
});

it('is found among thousands of features in one chain or one cycle', () => {
  const chain = Array.from({ length: 20_000 }, (_, n) =>
    feature(`F${n}`, { dependencies: n === 0 ? [] : [`F${n - 1}`] }),
  );
  expect(nextRunnable([...chain].reverse())?.id).toBe('F0');
  const [first, ...rest] = chain;
  const cycle = [...(first ? [{ ...first, dependencies: ['F19999'] }] : []), ...rest];
  expect(nextRunnable(cycle)).toBeNull();
  expect(findLeft(cycle)[0]?.why).toContain('F0 → F19999 → F19998 → F19997 → F19996 → … → F0');
});
