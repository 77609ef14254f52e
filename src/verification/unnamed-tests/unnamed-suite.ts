import { basename } from 'node:path';
import type { TestRun, UnnamedSuite } from '../facts.ts';
import { relevantLines } from '../output/relevant-lines.ts';

/** Whether a run ended by itself without a test runner that GuardKit can listen to: only its exit code counts. */
export function isUnnamed({ evidence, results, faults }: TestRun): boolean {
  return (
    results.length === 0 &&
    faults.length === 0 &&
    (evidence.tests?.runners ?? []).length === 0 &&
    !evidence.timed_out &&
    evidence.signal === null
  );
}

/** A passing run as one test, named after its command; a failing one too if it is asked for. */
export function asOneTest(run: TestRun, name: string, { failing = false } = {}): TestRun {
  if (!isUnnamed(run)) return run;
  if (run.evidence.exit === 0) return { ...run, results: [{ name, status: 'passed' }] };
  if (!failing) return run;
  const message = relevantLines(run.evidence.output_tail).join('\n');
  return { ...run, results: [{ name, status: 'failed', message }] };
}

/** Whether the command fails if a test fails, as far as a planted failure shows it. */
export function canFail({ probe }: UnnamedSuite): boolean {
  return probe.ran && (probe.run.evidence.exit !== 0 || probe.run.evidence.signal !== null);
}

/** A statement in a language's own way that makes a file fail, and how the file could end before it. */
interface Failure {
  statement: string;
  ends?: RegExp;
}

const FAILURES: readonly (readonly [files: RegExp, failure: Failure])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    { statement: ";throw new Error('This test must fail.');", ends: /\bprocess\.(?:exit|reallyExit)\b/ },
  ],
  [
    /\.py$/,
    { statement: "raise AssertionError('This test must fail.')", ends: /\b(?:_exit|exit|main)\s?\(/ },
  ],
  [/\.(?:sh|bash|zsh|ksh)$|^(?:run-?)?tests?$/, { statement: 'exit 1', ends: /\b(?:exit|exec|return)\b/ }],
  [/\.bats$/, { statement: 'exit 1', ends: /^/ }],
  [/\.rb$/, { statement: "raise 'This test must fail.'", ends: /\b(?:exit|abort)\b|at_exit/ }],
  [/\.(?:pl|t)$/, { statement: "die 'This test must fail.';", ends: /\b(?:exit|done_testing)\b|__END__/ }],
  [/\.lua$/, { statement: "error('This test must fail.')", ends: /\bos\.exit\b|^return\b/m }],
  [/\.(?:c|h|cc|cpp|cxx|hpp)$/, { statement: '#error This test must fail.', ends: /^/ }],
];

/** The file with a failure at its end, or at its start if it ends by itself; undefined for an unknown language. */
export function withFailure(path: string, text: string): string | undefined {
  const failure = FAILURES.find(([files]) => files.test(basename(path)))?.[1];
  if (failure === undefined) return undefined;
  const { statement, ends } = failure;
  if (ends === undefined || !ends.test(text)) return `${text}\n${statement}\n`;
  const [first = '', ...rest] = text.split('\n');
  return first.startsWith('#!') ? [first, statement, ...rest].join('\n') : `${statement}\n${text}`;
}
