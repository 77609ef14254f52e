import type { TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import {
  type Attributes,
  isCollectionFailure,
  isFileOf,
  isPath,
  placeCase,
  sum,
  whole,
} from './junit-dialects.ts';
import { ReportBuilder } from './report-builder.ts';

interface Suite {
  attributes: Attributes;
  tests: number;
  failed: number;
}

interface Case {
  attributes: Attributes;
  status: TestStatus;
  /** Failures of what is to do do not count, but suites count them. */
  hasProblem: boolean;
  message: string;
}

const LONGEST_TEXT = 4000;

/** Follows the elements of JUnit XML and keeps what they say. */
export class JUnitReader {
  readonly #report = new ReportBuilder('junit');
  readonly #suites: Suite[] = [];
  #case: Case | undefined;
  /** A failure that is open, with what it says. */
  #problem: { element: string; text: string } | undefined;
  #runner = 'junit';
  /** What the root says was skipped: mocha counts such tests in a suite and lists them nowhere. */
  #unlisted = 0;
  sawSuite = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'testsuites') {
      this.sawSuite = true;
      this.#unlisted = whole(attributes.skipped) ?? 0;
    } else if (name === 'testsuite') this.#openSuite(attributes);
    else if (name === 'testcase')
      this.#case = { attributes, status: statusOf(attributes), hasProblem: false, message: '' };
    else if (name === 'failure' || name === 'error' || name === 'skipped')
      this.#openProblem(name, attributes);
  }

  text(part: string): void {
    const problem = this.#problem;
    if (problem === undefined || problem.text.length >= LONGEST_TEXT) return;
    problem.text += part.slice(0, LONGEST_TEXT);
  }

  close(name: string): void {
    if (name === 'testsuite') this.#closeSuite();
    else if (name === 'testcase') this.#closeCase();
    else if (name === this.#problem?.element) this.#closeProblem(this.#problem);
  }

  report(): TestReport {
    return this.#report.build(this.#runner);
  }

  #openSuite(attributes: Attributes): void {
    this.sawSuite = true;
    if (attributes.name === 'pytest') this.#runner = 'pytest';
    this.#suites.push({ attributes, tests: 0, failed: 0 });
  }

  #openProblem(element: string, { type, message }: Attributes): void {
    const open = this.#case;
    if (open !== undefined) {
      open.hasProblem ||= element !== 'skipped';
      if (element === 'skipped' && type === 'todo') open.status = 'todo';
      else if (element === 'skipped' && open.status === 'passed') open.status = 'skipped';
      else if (element !== 'skipped' && open.status !== 'todo') open.status = 'failed';
    }
    // node:test gives a reason of `true` where there is none.
    this.#problem = { element, text: message && message !== 'true' ? `${message}\n` : '' };
  }

  #closeProblem({ element, text }: { element: string; text: string }): void {
    this.#problem = undefined;
    if (this.#case !== undefined) this.#case.message ||= text;
    else if (element !== 'skipped') {
      const suite = this.#suites.at(-1)?.attributes;
      this.#report.addFault(`${suite?.name ?? 'a suite'}: ${text.trim() || 'failed'}`, fileOf(suite));
    }
  }

  #closeCase(): void {
    const found = this.#case;
    this.#case = undefined;
    if (found === undefined) return;
    const { attributes, status, hasProblem, message } = found;
    if (isCollectionFailure(attributes, message)) {
      this.#report.addFault(message, attributes.file ?? `${attributes.name?.replaceAll('.', '/')}.py`);
    } else if (!isFileOf(attributes)) {
      const place = placeCase(attributes, this.#suites, fileOf(this.#suites.at(-1)?.attributes));
      this.#report.addTest({ ...place, status, message });
    } else if (status === 'failed') {
      this.#report.addFault(message || 'The file failed.', attributes.file ?? attributes.name);
    }
    const suite = this.#suites.at(-1);
    if (suite === undefined) return;
    suite.tests += 1;
    if (hasProblem) suite.failed += 1;
  }

  /**
   * Counts that say more than the cases show are a fault: something was taken out. Fewer are not, since jest-junit
   * counts no todo, and what the cases show is what counts then. pytest counts subtests and lists them nowhere.
   */
  #closeSuite(): void {
    const suite = this.#suites.pop();
    if (suite === undefined) return;
    const { attributes, tests, failed } = suite;
    const outer = this.#suites.at(-1);
    if (outer !== undefined) {
      outer.tests += tests;
      outer.failed += failed;
    }
    const problems = sum(attributes.failures, attributes.errors) ?? 0;
    if (problems > failed) this.#disagree(attributes, `${problems} failures and errors`, failed);
    const missing = this.#runner === 'pytest' ? 0 : (whole(attributes.tests) ?? 0) - tests;
    if (missing > this.#unlisted) this.#disagree(attributes, `${attributes.tests} tests`, tests);
    else if (missing > 0) this.#unlisted -= missing;
  }

  #disagree(attributes: Attributes, claim: string, found: number): void {
    const message = `The suite ${attributes.name ?? ''} counts ${claim}, and shows ${found}.`;
    this.#report.addFault(message, fileOf(attributes), { code: 'counts-differ' });
  }
}

function statusOf({ status, result }: Attributes): TestStatus {
  const unrun = ['notrun', 'disabled', 'skipped', 'suppressed'];
  return unrun.includes(status ?? '') || unrun.includes(result ?? '') ? 'skipped' : 'passed';
}

function fileOf(suite: Attributes | undefined): string | undefined {
  const file = suite?.file ?? suite?.filepath;
  return file ?? (suite?.name !== undefined && isPath(suite.name) ? suite.name : undefined);
}
