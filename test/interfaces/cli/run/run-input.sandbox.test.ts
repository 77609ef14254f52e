import { expect, it } from 'vitest';
import { namedLimits, runInputSchema } from '../../../../src/interfaces/cli/run/run-input.ts';

it('a limit that nobody names is none, so that a continued run keeps the one it has', () => {
  expect(namedLimits(runInputSchema.parse({}))).toEqual({
    until: null,
    max_features: null,
    budget_usd: null,
    only: null,
  });
  expect(namedLimits(runInputSchema.parse({ maxFeatures: '3' })).max_features).toBe(3);
  expect(runInputSchema.parse({}).maxTurns).toBe(5);
});
