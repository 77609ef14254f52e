import { createHash } from 'node:crypto';
import type { ReportFault, TestReport, TestResult, TestStatus } from '../../domain/entities/test-report.ts';

/** A run with more tests is read up to this limit, with a fault. */
export const MOST_TESTS = 250_000;
export const LONGEST_NAME = 500;
const LONGEST_MESSAGE = 2000;
const MOST_FAULTS = 200;
const MOST_SUITES = 100;

export interface FoundTest {
  /** Suites and case, outermost first. */
  path: readonly string[];
  file?: string | undefined;
  package?: string | undefined;
  status: TestStatus;
  message?: string | undefined;
  unfinished?: boolean | undefined;
}

/** Collects a parser's results within limits: names come from candidates and end up on terminals and in prompts. */
export class ReportBuilder {
  readonly #runner: string;
  readonly #tests: TestResult[] = [];
  readonly #faults: ReportFault[] = [];
  #leftOut = 0;
  #faultsLeftOut = 0;

  constructor(runner: string) {
    this.#runner = runner;
  }

  /** False once the limit is reached. */
  addTest({ path, file, package: home, status, message, unfinished }: FoundTest): boolean {
    if (this.#tests.length >= MOST_TESTS) {
      this.#leftOut += 1;
      return false;
    }
    const test: TestResult = { name: testName(path), status };
    if (file) test.file = bounded(oneLine(file));
    if (home) test.package = bounded(oneLine(home));
    // Messages of a passing test, such as the failure of an earlier retry, no longer count.
    const said = message && status !== 'passed' ? boundedMessage(message) : '';
    if (said !== '') test.message = said;
    if (unfinished) test.unfinished = true;
    this.#tests.push(test);
    return true;
  }

  addFault(
    message: string,
    file?: string,
    about: Pick<ReportFault, 'code' | 'package' | 'places'> = {},
  ): void {
    if (this.#faults.length >= MOST_FAULTS) this.#faultsLeftOut += 1;
    else {
      const { places = [], ...others } = about;
      const fault: ReportFault = { message: boundedMessage(message) || 'no message', ...others };
      if (places.length > 0)
        fault.places = places.map((place) => ({ ...place, message: boundedMessage(place.message) }));
      if (file) fault.file = bounded(oneLine(file));
      this.#faults.push(fault);
    }
  }

  build(runner = this.#runner): TestReport {
    const faults = [...this.#faults];
    if (this.#leftOut > 0) {
      faults.push({
        code: 'too-many-tests',
        message: `The report has more than ${MOST_TESTS} tests; ${this.#leftOut} were not read.`,
      });
    }
    if (this.#faultsLeftOut > 0)
      faults.push({ code: 'too-many-faults', message: `${this.#faultsLeftOut} more errors are not listed.` });
    return { runner, tests: this.#tests, faults };
  }
}

function testName(path: readonly string[]): string {
  const named = path.filter((part) => part !== '');
  const kept = named.length > MOST_SUITES ? [...named.slice(0, MOST_SUITES - 1), named.at(-1) ?? ''] : named;
  const name = kept.map(oneLine).join(' > ');
  return bounded(name === '' ? '(no name)' : name);
}

/** Names that differ only after the cut must stay different. */
function bounded(text: string): string {
  if (text.length <= LONGEST_NAME) return text;
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${text.slice(0, LONGEST_NAME - 10).toWellFormed()}… ${mark}`;
}

function boundedMessage(text: string): string {
  const cut = text.length > LONGEST_MESSAGE * 4 ? text.slice(0, LONGEST_MESSAGE * 4) : text;
  const plain = cut.replace(ANSI_STYLE, '').toWellFormed().replace(UNPRINTABLE, '�').trim();
  return plain.length <= LONGEST_MESSAGE ? plain : `${plain.slice(0, LONGEST_MESSAGE - 1).toWellFormed()}…`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out of messages
const ANSI_STYLE = /\u001b\[[\d;]*m/g;
// Control characters but tab and newline, and the marks that turn the direction of text around.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function oneLine(text: string): string {
  // A name of a megabyte is not shown whole, but its digest keeps it distinct.
  const plain = PLAIN.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(/[\t\n\r]/g, ' ')
        .replace(UNPRINTABLE, '�');
  return plain.trim();
}

/** The usual case, without creating new text. */
const PLAIN = /^[ -~]*$/;
