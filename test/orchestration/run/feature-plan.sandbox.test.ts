import { describe, expect, it } from 'vitest';
import {
  type FeaturePlan,
  featurePlanSchema,
  findPlanFaults,
} from '../../../src/orchestration/run/feature-plan.ts';

function plan(features: object[], more: object = {}): FeaturePlan {
  return featurePlanSchema.parse({
    features: features.map((one, index) => ({
      id: `F${index + 1}`,
      name: 'A feature',
      description: '',
      acceptance_criteria: ['adding 1 and 2 gives 3'],
      ...one,
    })),
    ...more,
  });
}

const tested = { hasTests: true };

describe('the features of an initializer are accepted if', () => {
  it('each has testable criteria, and the project has a test command', () => {
    expect(findPlanFaults(plan([{}, { dependencies: ['F1'] }]), tested)).toEqual([]);
  });

  it('nothing is configured, but the plan has a test command', () => {
    expect(
      findPlanFaults(plan([{}], { verify: { tests: { command: 'npm test' } } }), { hasTests: false }),
    ).toEqual([]);
  });

  it('every feature brings a check of its own', () => {
    const verify = { checks: [{ name: 'it answers', command: 'test -s answer' }] };
    expect(findPlanFaults(plan([{ verify }]), { hasTests: false })).toEqual([]);
  });
});

describe('the features of an initializer are refused, with what to change, if', () => {
  it.each([
    ['there is none', plan([]), /./],
    ['a feature has no criterion', plan([{ acceptance_criteria: [] }]), /F1/],
    ['two ids differ in their case alone', plan([{ id: 'F1' }, { id: 'f1' }]), /f1/],
    ['an id is that of a run’s own branch', plan([{ id: 'run-20300131-0a1b2c' }]), /run-20300131-0a1b2c/],
    ['a dependency does not exist', plan([{ dependencies: ['F9'] }]), /F1.*F9/],
    ['a feature depends on itself', plan([{ dependencies: ['F1'] }]), /F1 → F1/],
    [
      'dependencies go in a circle',
      plan([{ dependencies: ['F2'] }, { dependencies: ['F3'] }, { dependencies: ['F1'] }]),
      /F1 → F2 → F3 → F1/,
    ],
    [
      'a criterion is duplicated',
      plan([{ acceptance_criteria: ['adding 1 and 2 gives 3', 'Adding 1 and 2 gives 3 '] }]),
      /F1.*Adding 1 and 2 gives 3/,
    ],
  ])('%s', (_name, given, told) => {
    expect(findPlanFaults(given, tested)).toEqual([expect.stringMatching(told)]);
  });

  it.each([
    'It works',
    'The code is clean',
    'everything works as expected',
    'AC-001: fast and user-friendly',
    'Login',
  ])('a criterion says that it is good, and not what it does: %s', (text) => {
    expect(findPlanFaults(plan([{ acceptance_criteria: [text] }]), tested)).toHaveLength(1);
  });

  it('there is no test command', () => {
    expect(findPlanFaults(plan([{}]), { hasTests: false })).toHaveLength(1);
  });
});

it('an initializer’s answer is parsed by its schema, and a key that changes prototypes is refused', () => {
  const hostile = JSON.parse(
    '{"features":[{"id":"F1","name":"x","description":"","acceptance_criteria":["a b c"],"__proto__":{"x":1}}]}',
  );
  expect(featurePlanSchema.safeParse(hostile).success).toBe(false);
  expect(featurePlanSchema.safeParse({ features: [{ id: '../x' }] }).success).toBe(false);
});
