import type { CheckConfig } from '../../config/project/verify-config.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import type { Outcome } from '../../domain/entities/verification.ts';

/** The output of a check. */
export type CheckAnswer =
  | { type: 'command'; exit: number | null; ended: string; stdout: string; executedTests: number }
  | { type: 'http'; status: number; body: string }
  | { type: 'page'; status: number; html: string }
  | { type: 'none'; result: Exclude<Outcome, 'pass'>; why: string };

export interface CheckJudgement {
  result: Outcome;
  reason: string;
}

/** Compares a check's output with its expectations. */
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
  return `"${text}" is missing from ${answer.type === 'page' ? 'the page' : 'the output'}`;
}

function emptyFaults({ non_empty }: Expectation, answer: GivenAnswer): string[] {
  const text = textOf(answer);
  // An empty page always fails.
  if (answer.type === 'page' && text === '') return ['the page shows no text'];
  if (non_empty === undefined) return [];
  const what = answer.type === 'command' ? 'standard output' : 'the answer';
  if (non_empty === 'stdout') return text.trim() === '' ? [`${what} was empty`] : [];
  const found = valueAtJsonPath(text, non_empty);
  if (!found.ok) return [`${non_empty} could not be evaluated: ${found.why}`];
  return isEmptyData(found.value)
    ? [`${non_empty} was empty (${JSON.stringify(found.value) ?? 'not there'})`]
    : [];
}

function testsFault({ min_tests }: Expectation, executed: number): CheckJudgement | undefined {
  if (min_tests === undefined || executed >= min_tests) return undefined;
  return {
    result: executed === 0 ? 'absent' : 'fail',
    reason: `${executed} tests ran, expected at least ${min_tests}`,
  };
}

/** Elements with invisible text. */
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'svg']);

/** Approximates the visible text of a page by removing tags, in one pass. */
export function visibleText(html: string): string {
  const seen: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      seen.push(html.slice(at));
      break;
    }
    seen.push(html.slice(at, open));
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open);
      continue;
    }
    const end = after(html, '>', open);
    const name = tagName(html, open + 1);
    at = UNSEEN.has(name) && html[end - 2] !== '/' ? after(html, `</${name}`, end) : end;
    if (at !== end) at = after(html, '>', at);
    seen.push(' ');
  }
  return seen.join('').split(/\s+/).join(' ').trim();
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function tagName(html: string, from: number): string {
  return /^[a-z][a-z0-9]{0,20}/.exec(html.slice(from, from + 24).toLowerCase())?.[0] ?? '';
}

/** The value at a path such as `$.items[0].name`; undefined if absent. */
export function valueAtJsonPath(text: string, path: string): Parsed<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: text.trim() === '' ? 'the output is empty' : 'the output is not JSON' };
  }
  const steps = parsePath(path);
  if (!steps) return { ok: false, why: `${path} is not a path such as $.items[0].name` };
  for (const step of steps) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step))
      return { ok: true, value: undefined };
    value = Reflect.get(value, step);
  }
  return { ok: true, value };
}

/** Null, an empty list, object or string, or a count of zero. */
export function isEmptyData(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The names and indexes after the `$`; undefined if the path is invalid. */
function parsePath(path: string): string[] | undefined {
  const steps: string[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const step = /^(?:\.([^.[\]]+)|\[(\d{1,9})\]|\["([^"]*)"\])/.exec(rest);
    if (!step) return undefined;
    steps.push(step[1] ?? step[2] ?? step[3] ?? '');
    rest = rest.slice(step[0].length);
  }
  return steps;
}
