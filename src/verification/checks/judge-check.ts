import type { CheckConfig } from '../../config/project/verify-config.ts';
import type { Outcome } from '../../domain/entities/outcome.ts';
import { isEmptyData, valueAtJsonPath } from './json-path.ts';
import { visibleText } from './visible-text.ts';

/** What a check gave. */
export type CheckAnswer =
  | { type: 'command'; exit: number | null; ended: string; stdout: string; executedTests: number }
  | { type: 'http'; status: number; body: string }
  | { type: 'page'; status: number; html: string }
  | { type: 'none'; result: Exclude<Outcome, 'pass'>; why: string };

export interface CheckJudgement {
  result: Outcome;
  reason: string;
}

/** Compares what a check gave with what it expects. */
export function judgeCheck({ expect = {} }: CheckConfig, answer: CheckAnswer): CheckJudgement {
  if (answer.type === 'none') return { result: answer.result, reason: answer.why };
  const faults = [endFault(expect, answer), textFault(expect, answer), ...emptyFaults(expect, answer)].filter(
    (fault) => fault !== undefined,
  );
  if (faults.length > 0) return { result: 'fail', reason: faults.join('; ') };
  if (answer.type !== 'command') return { result: 'pass', reason: `status ${answer.status}` };
  const enough = testsFault(expect, answer.executedTests);
  return enough ?? { result: 'pass', reason: answer.ended };
}

type Expectation = NonNullable<CheckConfig['expect']>;
type GivenAnswer = Exclude<CheckAnswer, { type: 'none' }>;

function endFault(expect: Expectation, answer: GivenAnswer): string | undefined {
  if (answer.type === 'command') {
    const wanted = expect.exit ?? 0;
    return answer.exit === wanted ? undefined : `${answer.ended}, expected exit ${wanted}`;
  }
  const { status } = answer;
  if (expect.status !== undefined)
    return status === expect.status ? undefined : `status ${status}, expected ${expect.status}`;
  return status < 400 ? undefined : `status ${status}`;
}

function textOf(answer: GivenAnswer): string {
  if (answer.type === 'command') return answer.stdout;
  return answer.type === 'http' ? answer.body : visibleText(answer.html);
}

function textFault({ text }: Expectation, answer: GivenAnswer): string | undefined {
  if (text === undefined || textOf(answer).includes(text)) return undefined;
  return `"${text}" is not in ${answer.type === 'page' ? 'the page' : 'the answer'}`;
}

function emptyFaults({ non_empty }: Expectation, answer: GivenAnswer): string[] {
  const text = textOf(answer);
  // A page that shows nothing is a failure whether or not anybody asked.
  if (answer.type === 'page' && text === '') return ['the page shows no text'];
  if (non_empty === undefined) return [];
  const what = answer.type === 'command' ? 'standard output' : 'the answer';
  if (non_empty === 'stdout') return text.trim() === '' ? [`${what} was empty`] : [];
  const found = valueAtJsonPath(text, non_empty);
  if (!found.ok) return [`${non_empty} could not be looked up: ${found.why}`];
  return isEmptyData(found.value)
    ? [`${non_empty} was empty (${JSON.stringify(found.value) ?? 'not there'})`]
    : [];
}

function testsFault({ min_tests }: Expectation, executed: number): CheckJudgement | undefined {
  if (min_tests === undefined || executed >= min_tests) return undefined;
  return {
    result: executed === 0 ? 'absent' : 'fail',
    reason: `${executed} tests were executed, expected at least ${min_tests}`,
  };
}
