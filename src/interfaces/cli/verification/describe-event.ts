import { describeEvidence } from '../../../domain/entities/evidence.ts';
import type { VerifyEvent } from '../../../verification/runs/run-context.ts';

const ON = {
  candidate: '',
  base: ' on the base',
  base_with_new_tests: ' on the base with the new tests',
  candidate_with_base_tests: ' with the tests of the base',
} as const;

/** One line of progress. */
export function describeEvent(event: VerifyEvent): string {
  const what = `${event.check}${ON[event.on]}`;
  switch (event.type) {
    case 'run_began':
      return `… ${what}: ${event.command}`;
    case 'run_reused':
      return `  ${what}: known (${describeEvidence(event.evidence)})`;
    case 'run_ended':
      return `  ${what}: ${describeEvidence(event.evidence)}, ${(event.evidence.duration_ms / 1000).toFixed(1)} s`;
  }
}
