import type { GateResult } from '../../../domain/entities/verification.ts';
import type { BranchVerification } from '../../../verification/ci/verify-branch.ts';
import { claimHeading } from './describe-branch.ts';
import { xmlText } from './escape.ts';

const MAX_TEXT = 4000;

/** JUnit XML: a suite for the branch and for each claim, a case for each gate. */
export function junitReport({ gates, claims }: BranchVerification): string {
  const suites = [
    suite('branch', gates, 0),
    ...claims.map((one) =>
      suite(claimHeading(one), one.verification.gates, one.verification.duration_ms / 1000),
    ),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="guardkit ci">\n${suites.join('\n')}\n</testsuites>\n`;
}

function suite(name: string, gates: readonly GateResult[], seconds: number): string {
  const failures = gates.filter(isFailure).length;
  const skipped = gates.filter(isSkipped).length;
  return [
    `  <testsuite name="${xmlText(name)}" tests="${gates.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}">`,
    ...gates.map((gate) => testCase(name, gate)),
    '  </testsuite>',
  ].join('\n');
}

function testCase(suiteName: string, gate: GateResult): string {
  const start = `    <testcase classname="${xmlText(suiteName)}" name="${xmlText(gate.gate)}"`;
  const message = xmlText(gate.reason.slice(0, MAX_TEXT));
  if (isSkipped(gate)) return `${start}><skipped message="${message}"/></testcase>`;
  if (!isFailure(gate)) return `${start}/>`;
  const body = [gate.reason, ...(gate.details ?? []), gate.remedy ?? ''].join('\n').slice(0, MAX_TEXT);
  return `${start}><failure message="${message}" type="${gate.result}">${xmlText(body)}</failure></testcase>`;
}

/** A required gate that is absent has not passed. */
function isFailure({ required, result }: GateResult): boolean {
  return required && result !== 'pass';
}

function isSkipped({ required, result }: GateResult): boolean {
  return !required && result !== 'pass';
}
