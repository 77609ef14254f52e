import type { GateResult } from '../../domain/entities/verification.ts';
import type { Facts } from '../facts.ts';
import { architectureGate } from './architecture-gate.ts';
import { changeGate } from './change-gate.ts';
import { checksGate } from './checks-gate.ts';
import { coverageGate } from './coverage-gate.ts';
import type { Gate } from './gate.ts';
import { harnessGate } from './harness-gate.ts';
import { newTestsBiteGate } from './new-tests-bite-gate.ts';
import { noTestLostGate } from './no-test-lost-gate.ts';
import { noTestWeakenedGate } from './no-test-weakened-gate.ts';
import { nonEmptyGate } from './non-empty-gate.ts';
import { testsGate } from './tests-gate.ts';
import { uiGate } from './ui-gate.ts';

/** All gates, in display order. */
export const GATES: readonly Gate[] = [
  changeGate,
  testsGate,
  coverageGate,
  harnessGate,
  newTestsBiteGate,
  noTestLostGate,
  noTestWeakenedGate,
  checksGate,
  nonEmptyGate,
  uiGate,
  architectureGate,
];

export function judgeGates(facts: Facts): GateResult[] {
  return GATES.map(({ name, judge }) => {
    const { result, required, reason, code, warnings = [], evidence = [], remedy } = judge(facts);
    return {
      gate: name,
      result,
      required,
      reason,
      ...(code === undefined ? {} : { code }),
      warnings: [...warnings],
      manual: false,
      evidence: [...evidence],
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
}
