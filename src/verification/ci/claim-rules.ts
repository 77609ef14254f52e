import type { Verification } from '../../domain/entities/verification.ts';
import type { Definition } from '../definition/load-definition.ts';
import { changeGate } from '../gates/change-gate.ts';
import type { FeatureVerification } from '../open-verification.ts';
import { outcomeOf } from '../verify.ts';
import type { Claim } from './find-claims.ts';
import type { Waivers } from './find-rule-changes.ts';

/** A branch without a claim may change rules, plans or nothing at all. */
export function forClaim(claim: Claim, verification: Verification): Verification {
  if (claim.type !== 'project') return verification;
  const gates = verification.gates.map((gate) =>
    gate.gate === changeGate.name ? { ...gate, required: false } : gate,
  );
  return { ...verification, gates, outcome: outcomeOf(gates) };
}

/** No claim makes the gates weaker than for a branch without a claim. */
export function rulesFor(
  claim: Claim,
  { definition: { rules }, verify: commands }: FeatureVerification,
  waivers: Waivers,
): Definition['rules'] {
  const waived = waivers.active.flatMap(({ paths }) => paths);
  const common = {
    ...rules,
    testsMustPass: rules.testsMustPass || commands.tests !== undefined,
    removesTests: rules.removesTests === true ? (true as const) : [...rules.removesTests, ...waived],
  };
  // A criterion can declare a changed test, which the branch must not do for itself.
  if (claim.type === 'added') return { ...common, criteria: [] };
  if (claim.type === 'on-base') return common;
  return {
    ...common,
    taskTypes: [],
    testsRequired: false,
    testsMustPass: commands.tests !== undefined,
    coverageRequired: false,
    ui: false,
  };
}
