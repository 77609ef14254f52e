import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles, orderByDependencies } from '../../src/domain/dependencies.ts';

const items = (edges: Record<string, string[]>) =>
  Object.entries(edges).map(([id, dependencies]) => ({ id, dependencies }));

describe('order by dependencies', () => {
  it.each([
    ['keeps the order given where nothing is said', { c: [], a: [], b: [] }, ['c', 'a', 'b']],
    ['puts what is needed first', { a: ['b'], b: ['c'], c: [] }, ['c', 'b', 'a']],
    ['does not wait for what is not among them', { a: ['elsewhere'], b: [] }, ['a', 'b']],
    ['puts those that wait for each other last', { a: ['b'], b: ['a'], c: [] }, ['c', 'a', 'b']],
    ['does not wait for itself', { a: ['a'], b: [] }, ['a', 'b']],
  ])('%s', (_case, edges, expected) => {
    expect(orderByDependencies(items(edges)).map(({ id }) => id)).toEqual(expected);
  });
});

describe('cycles', () => {
  it.each([
    ['there are none in a line', { a: ['b'], b: ['c'], c: [] }, []],
    ['one is named as a way that comes back', { a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    ['on itself', { a: ['a'] }, [['a', 'a']]],
    ['what only leads into one is no part of it', { z: ['a'], a: ['b'], b: ['a'] }, [['a', 'b', 'a']]],
    [
      'two are told',
      { a: ['b'], b: ['a'], c: ['d'], d: ['c'] },
      [
        ['a', 'b', 'a'],
        ['c', 'd', 'c'],
      ],
    ],
    ['what is not there ends a way', { a: ['gone'] }, []],
  ])('%s', (_case, edges, expected) => {
    expect(findCycles(items(edges))).toEqual(expected);
  });

  it('are found in a chain of many thousand', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => ({
      id: `${n}`,
      dependencies: [`${(n + 1) % 20_000}`],
    }));
    expect(findCycles(chain)[0]).toHaveLength(20_001);
  });

  it('exist exactly where no order does, and each is a way of real dependencies', () => {
    const graph = fc
      .integer({ min: 1, max: 7 })
      .chain((size) =>
        fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), {
          minLength: size,
          maxLength: size,
        }),
      )
      .map((rows) => rows.map((row, n) => ({ id: `n${n}`, dependencies: row.map((to) => `n${to}`) })));
    fc.assert(
      fc.property(graph, (all) => {
        const cycles = findCycles(all);
        for (const cycle of cycles) {
          expect(cycle[0]).toBe(cycle.at(-1));
          for (const [index, id] of cycle.slice(0, -1).entries())
            expect(all.find((one) => one.id === id)?.dependencies).toContain(cycle[index + 1]);
        }
        const place = new Map(orderByDependencies(all).map(({ id }, index) => [id, index]));
        const ordered = all.every(({ id, dependencies }) =>
          dependencies.every((other) => (place.get(other) ?? 0) < (place.get(id) ?? 0)),
        );
        expect(ordered).toBe(cycles.length === 0);
      }),
    );
  });
});
