import sax from 'sax';
import type { Parsed, TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import { ReportBuilder } from './report-builder.ts';

const CHUNK = 64 * 1024;
/** Only the five entities of XML itself; the types lack this option. */
const OPTIONS: sax.SAXOptions & { strictEntities: boolean } = { position: false, strictEntities: true };
// The whole text is in memory already, and a long attribute is not a reason to refuse a report.
Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/** Reads JUnit XML in the dialects of Surefire, pytest, jest-junit, vitest and mocha. Entities are never expanded. */
export function parseJunitXml(text: string): Parsed<TestReport> {
  const parser = sax.parser(true, OPTIONS);
  const reader = new JUnitReader();
  let why: string | undefined;
  const refuse = (reason: string): void => {
    why ??= reason;
  };
  parser.onerror = (error) => refuse(`is not valid XML: ${error.message.split('\n')[0]}`);
  parser.ondoctype = (doctype) => {
    if (/<!ENTITY/i.test(doctype)) refuse('declares entities, which no test runner does');
  };
  parser.onopentag = ({ name, attributes }) => reader.open(name, attributes as Record<string, string>);
  parser.onclosetag = (name) => reader.close(name);
  parser.ontext = (part) => reader.text(part);
  parser.oncdata = (part) => reader.text(part);
  const body = text.replace(/^\uFEFF/, '').trimStart();
  for (let at = 0; at < body.length && why === undefined; at += CHUNK) {
    parser.write(body.slice(at, at + CHUNK));
  }
  if (why === undefined) parser.close();
  if (why !== undefined) return { ok: false, why };
  return reader.sawSuite ? { ok: true, value: reader.report() } : { ok: false, why: 'has no testsuite' };
}

interface Suite {
  attributes: Attributes;
  tests: number;
  failed: number;
}

interface Case {
  attributes: Attributes;
  status: TestStatus;
  /** Failures of todo tests do not count, but suites count them. */
  hasProblem: boolean;
  message: string;
}

const LONGEST_TEXT = 4000;

/** Follows the elements of JUnit XML and collects their content. */
class JUnitReader {
  readonly #report = new ReportBuilder('junit');
  readonly #suites: Suite[] = [];
  #case: Case | undefined;
  /** The open failure with its text. */
  #problem: { element: string; text: string } | undefined;
  #runner = 'junit';
  /** The skip count of the root: mocha counts such tests in a suite and does not list them. */
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
    // node:test gives the reason `true` if there is none.
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
   * A higher count than the listed cases is a fault: something was removed. A lower one is not, since jest-junit does
   * not count todo; the cases then count. pytest counts subtests without listing them.
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
    const message = `The suite ${attributes.name ?? ''} reports ${claim} but lists ${found}.`;
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

type Attributes = Record<string, string | undefined>;

interface Place {
  path: string[];
  file: string | undefined;
}

/** Suites nested deeper than this are left out of names. */
const DEEPEST = 100;

/** Names a case: each runner uses the attributes differently. */
function placeCase(
  { name = '', classname = '', file }: Attributes,
  suites: readonly { attributes: Attributes }[],
  suiteFile?: string,
): Place {
  const known = file ?? suiteFile;
  // vitest puts the file into the class attribute.
  if (isPath(classname)) return { path: [name], file: known ?? classname };
  if (file?.endsWith('.py')) return { path: [...pythonClasses(file, classname), name], file };
  const chain = suites
    .slice(-DEEPEST)
    .map(({ attributes }) => attributes.name ?? '')
    .filter((suite) => suite !== 'pytest' && !isPath(suite));
  // node:test writes `test`, later versions the suites joined by dots; without it the suites are used.
  if (classname === '' || classname === 'test' || classname === chain.join('.')) {
    return { path: [...chain, name], file: known };
  }
  // jest-junit and mocha repeat the name or its end.
  return { path: name.endsWith(classname) ? [name] : [classname, name], file: known };
}

/** pytest's class starts with the module, which the file already names. */
function pythonClasses(file: string, classname: string): string[] {
  const parts = file.slice(0, -3).split('/');
  const found = classname.split('.');
  return parts.every((part, index) => part === found[index]) ? found.slice(parts.length) : found;
}

/**
 * Whether a case stands for a whole file: vitest and node:test report a broken file like that, node:test also an intact
 * one.
 */
function isFileOf({ name = '', classname }: Attributes): boolean {
  return isPath(name) && (classname === name || classname === 'test');
}

/** pytest adds a case for a file that it cannot load, named after the module. */
function isCollectionFailure({ classname }: Attributes, message: string): boolean {
  return !classname && message.startsWith('collection failure');
}

const SOURCES: ReadonlySet<string> = new Set('js cjs mjs jsx ts cts mts tsx py rb php vue svelte'.split(' '));

/** Called several times for each case, so it reads only the end. */
function isPath(text: string): boolean {
  const dot = text.lastIndexOf('.');
  return dot !== -1 && text.length - dot <= 7 && SOURCES.has(text.slice(dot + 1));
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function sum(...texts: (string | undefined)[]): number | undefined {
  const numbers = texts.map(whole).filter((one) => one !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((total, one) => total + one, 0);
}
