import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosePrunableTurns, type KeptTurn } from '../../../src/orchestration/retention/prune-turns.ts';

function turn(feature: string, number: number, minute = number): KeptTurn {
  const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return { id: `TURN-${feature}-T-T${number}`, feature, task: 'T', number, at };
}

const ids = (turns: readonly KeptTurn[]) => turns.map(({ id }) => id);

test('within the limits nothing goes', () => {
  const turns = [turn('A', 1), turn('A', 2)];
  expect(choosePrunableTurns(turns, 2, { perFeature: 2, perProject: 2 })).toEqual([]);
});

test('a feature over its limit loses its oldest turns, and others keep theirs', () => {
  const turns = [turn('A', 3), turn('A', 1), turn('B', 1), turn('A', 2)];
  const chosen = choosePrunableTurns(turns, 4, { perFeature: 2, perProject: 100 });
  expect(ids(chosen)).toEqual(['TURN-A-T-T1']);
});

test('a project over its limit loses the oldest turns of whichever feature is complete', () => {
  const turns = [turn('A', 1, 5), turn('B', 1, 1), turn('B', 2, 2), turn('A', 2, 6)];
  const chosen = choosePrunableTurns(turns, 4, { perFeature: 50, perProject: 1 });
  expect(ids(chosen)).toEqual(['TURN-B-T-T1', 'TURN-B-T-T2', 'TURN-A-T-T1']);
});

test('work in progress counts towards the limit of a project', () => {
  const turns = [turn('A', 1), turn('A', 2)];
  expect(choosePrunableTurns(turns, 300, { perFeature: 50, perProject: 200 })).toHaveLength(2);
});

test('what stays of complete features is within every limit that they can keep, and no turn goes without need', () => {
  const turns = fc.uniqueArray(
    fc.record({ feature: fc.constantFrom('A', 'B', 'C'), number: fc.integer({ min: 1, max: 40 }) }),
    { selector: ({ feature, number }) => `${feature}${number}` },
  );
  fc.assert(
    fc.property(turns, fc.nat(30), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 40 }), check),
  );

  function check(
    given: { feature: string; number: number }[],
    inProgress: number,
    perFeature: number,
    perProject: number,
  ): void {
    const all = given.map(({ feature, number }) => turn(feature, number));
    const chosen = choosePrunableTurns(all, all.length + inProgress, { perFeature, perProject });
    const left = all.filter((one) => !chosen.includes(one));
    const over = all.length + inProgress - perProject;
    for (const feature of ['A', 'B', 'C']) {
      const kept = left.filter((one) => one.feature === feature);
      const gone = chosen.filter((one) => one.feature === feature);
      expect(kept.length).toBeLessThanOrEqual(perFeature);
      for (const one of gone) expect(kept.every(({ number }) => number > one.number)).toBe(true);
      if (over <= 0) expect(kept.length).toBe(Math.min(perFeature, kept.length + gone.length));
    }
    expect(left.length + inProgress <= perProject || left.length === 0).toBe(true);
  }
});
