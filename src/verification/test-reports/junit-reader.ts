import type { TestReport, TestStatus } from '../../domain/test-report.ts';
import { ReportBuilder } from './report-builder.ts';

type Attributes = Record<string, string | undefined>;

interface Counts {
  tests: number;
  failed: number;
  skipped: number;
}

interface Suite {
  attributes: Attributes;
  /** Cases of this suite itself, and those of the suites inside it. */
  own: Counts;
  inner: Counts;
}

interface Case {
  attributes: Attributes;
  status: TestStatus;
  message: string;
}

const LONGEST_TEXT = 4000;
const DEEPEST = 100;

/** Follows the elements of JUnit XML and keeps what they say. */
export class JUnitReader {
  readonly #suites: Suite[] = [];
  readonly #report = new ReportBuilder('junit');
  #case: Case | undefined;
  /** What a failure says in its body, if its attribute says nothing. */
  #problem: { element: string; text: string } | undefined;
  #runner = 'junit';
  sawSuite = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'testsuites') this.sawSuite = true;
    else if (name === 'testsuite') this.#openSuite(attributes);
    else if (name === 'testcase') this.#case = { attributes, status: statusOf(attributes), message: '' };
    else if (name === 'failure' || name === 'error' || name === 'skipped') this.#openProblem(name, attributes);
  }

  text(part: string): void {
    const problem = this.#problem;
    if (problem === undefined || problem.text.length >= LONGEST_TEXT) return;
    problem.text += part.slice(0, LONGEST_TEXT);
  }

  close(name: string): void {
    if (name === 'testsuite') this.#closeSuite();
    else if (name === 'testcase') this.#closeCase();
    else if (name === this.#problem?.element) this.#closeProblem(this.#problem.text);
  }

  report(): TestReport {
    return this.#report.build(this.#runner);
  }

  #openSuite(attributes: Attributes): void {
    this.sawSuite = true;
    if (attributes.name === 'pytest') this.#runner = 'pytest';
    this.#suites.push({ attributes, own: noCounts(), inner: noCounts() });
  }

  #openProblem(element: string, attributes: Attributes): void {
    if (this.#case !== undefined) {
      // A case that failed and was then torn down as skipped has still failed.
      if (element !== 'skipped') this.#case.status = 'failed';
      else if (this.#case.status === 'passed') this.#case.status = 'skipped';
    }
    this.#problem = { element, text: attributes.message ? `${attributes.message}\n` : '' };
  }

  #closeProblem(text: string): void {
    const suite = this.#suites.at(-1);
    if (this.#case !== undefined) this.#case.message ||= text;
    else if (this.#problem?.element !== 'skipped') {
      const where = suite?.attributes.name ? `${suite.attributes.name}: ` : '';
      this.#report.addFault(`${where}${text.trim() || 'the suite failed'}`, fileOf(suite));
    }
    this.#problem = undefined;
  }

  #closeCase(): void {
    const found = this.#case;
    this.#case = undefined;
    if (found === undefined) return;
    const { attributes, status, message } = found;
    this.#report.addTest({ ...this.#place(attributes), status, message });
    const suite = this.#suites.at(-1);
    if (suite !== undefined) addTo(suite.own, status);
  }

  #place({ name = '', classname = '', file }: Attributes): { path: string[]; file: string | undefined } {
    const suite = this.#suites.at(-1);
    const known = file ?? fileOf(suite);
    // vitest puts the file where the class belongs, jest-junit and mocha the name once more.
    if (classname !== '' && isPath(classname)) return { path: [name], file: known ?? classname };
    if (classname !== '' && !name.endsWith(classname)) return { path: [classname, name], file: known };
    if (classname !== '') return { path: [name], file: known };
    const suites = this.#suites.slice(-DEEPEST).map((each) => each.attributes.name ?? '');
    return { path: [...suites, name], file: known };
  }

  #closeSuite(): void {
    const suite = this.#suites.pop();
    if (suite === undefined) return;
    const { attributes, own } = suite;
    const all = plus(own, suite.inner);
    const outer = this.#suites.at(-1);
    if (outer !== undefined) outer.inner = plus(outer.inner, all);
    const failed = sum(attributes.failures, attributes.errors);
    const claims = [
      ['tests', whole(attributes.tests), 'tests'],
      ['failed', failed, 'failures and errors'],
      ['skipped', whole(attributes.skipped ?? attributes.skip), 'skipped tests'],
    ] as const;
    for (const [key, claimed, what] of claims) {
      if (claimed === undefined || claimed === all[key] || claimed === own[key]) continue;
      const message = `The suite ${attributes.name ?? ''} says ${claimed} ${what}, its cases say ${all[key]}.`;
      this.#report.addFault(message, fileOf(suite));
    }
  }
}

function statusOf({ status, result }: Attributes): TestStatus {
  const unrun = ['notrun', 'disabled', 'skipped', 'suppressed'];
  return unrun.includes(status ?? '') || unrun.includes(result ?? '') ? 'skipped' : 'passed';
}

function fileOf(suite: Suite | undefined): string | undefined {
  return suite?.attributes.file ?? suite?.attributes.filepath;
}

function isPath(text: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|php|vue|svelte)$/.test(text);
}

function noCounts(): Counts {
  return { tests: 0, failed: 0, skipped: 0 };
}

function addTo(counts: Counts, status: TestStatus): void {
  counts.tests += 1;
  if (status === 'failed') counts.failed += 1;
  if (status === 'skipped') counts.skipped += 1;
}

function plus(one: Counts, other: Counts): Counts {
  return {
    tests: one.tests + other.tests,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function sum(...texts: (string | undefined)[]): number | undefined {
  const numbers = texts.map(whole).filter((one) => one !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((total, one) => total + one, 0);
}
