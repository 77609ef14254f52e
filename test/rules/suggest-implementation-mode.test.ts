import { expect, it } from 'vitest';
import { suggestImplementationMode } from '../../src/rules/suggest-implementation-mode.ts';
import { BARE, SEEDED } from './rule-sources-fixture.ts';

it.each([
  [1, 'direct'],
  [2, 'direct'],
  [3, 'direct'],
  [4, 'task_work'],
  [5, 'task_work'],
  [6, 'task_work'],
  [7, 'autobuild'],
  [8, 'autobuild'],
  [10, 'autobuild'],
])('complexity %i suggests %s', (complexity, mode) => {
  expect(suggestImplementationMode(SEEDED, 'feature', complexity)?.mode).toBe(mode);
});

it('of two modes that are equally near the lighter one wins', () => {
  const [direct, taskWork] = SEEDED.system.modes;
  if (!direct || !taskWork) throw new Error('two modes are seeded');
  const even = [
    { ...taskWork, complexity_range: [3, 7] as [number, number] },
    { ...direct, complexity_range: [1, 5] as [number, number] },
  ];
  const sources = { ...SEEDED, system: { ...SEEDED.system, modes: even } };
  expect(suggestImplementationMode(sources, 'feature', 4)?.mode).toBe('direct');
});

it('an unavailable or unseeded store gives no advice, without error', () => {
  expect(suggestImplementationMode(BARE, 'feature', 5)).toBeUndefined();
});
