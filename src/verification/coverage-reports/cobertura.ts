import sax from 'sax';
import type { CoverageReport } from '../../domain/entities/coverage-report.ts';
import type { Parsed } from '../../domain/entities/test-report.ts';
import { LineCollector } from './line-collector.ts';
import { isAbsolutePath, quoted, reportPath } from './report-text.ts';

/** A report whose paths may be relative to any of several folders. */
export interface RootedCoverageReport extends CoverageReport {
  roots?: string[];
}

/** Rates may have as few as two digits. */
const RATE_TOLERANCE = 0.011;
const MAX_ROOTS = 20;
/** Far deeper than the format needs; checking an element's parents costs more with depth. */
const MAX_DEPTH = 100;

/** Reads Cobertura XML. Declared entities are never expanded: a report with any is refused. */
export function parseCobertura(text: string): Parsed<RootedCoverageReport> {
  const reader = new CoberturaReader();
  const parser = sax.parser(true, { trim: true });
  parser.onopentag = ({ name, attributes }) => reader.open(name, attributes as Record<string, string>);
  parser.onclosetag = (name) => reader.close(name);
  parser.ontext = (value) => reader.text(value);
  parser.ondoctype = (doctype) => {
    if (doctype.includes('[')) reader.fault('it declares its own entities or elements');
  };
  parser.onerror = (error) => reader.fault(`it is not valid XML: ${error.message.split('\n')[0]}`);
  try {
    const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    for (let at = 0; at < body.length && !reader.why; at += CHUNK) parser.write(body.slice(at, at + CHUNK));
    if (!reader.why) parser.close();
  } catch (error) {
    // Safe: the report is refused; sax throws an error again that it already reported.
    reader.fault(
      `it is not valid XML: ${error instanceof Error ? error.message.split('\n')[0] : 'unreadable'}`,
    );
  }
  return reader.result();
}

/** A faulty report is read no further: sax continues, with an error for every character. */
const CHUNK = 16 * 1024;

interface ClassLines {
  file: string;
  /** Line and hits. */
  own: [number, number][];
  ofMethods: [number, number][];
}

class CoberturaReader {
  why: string | undefined;
  readonly #collector = new LineCollector();
  readonly #path: string[] = [];
  readonly #roots = new Set<string>();
  #claimed: { total?: number; covered?: number; rate?: number } | undefined;
  /** Listed lines, with duplicates: some writers sum them up like that. */
  readonly #listed = { total: 0, covered: 0 };
  #class: ClassLines | undefined;

  fault(why: string): void {
    this.why ??= why;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.why) return;
    const read = (key: string) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined);
    if (this.#path.length === 0) this.#openReport(name, read);
    if (name === 'class') this.#openClass(reportPath(read('filename') ?? ''));
    if (name === 'line' && this.#class) this.#line(read('number'), read('hits'), this.#class);
    if (this.#path.push(name) > MAX_DEPTH) this.fault('its elements are nested too deeply');
  }

  close(name: string): void {
    this.#path.pop();
    if (this.why || name !== 'class' || !this.#class) return;
    const { file, own, ofMethods } = this.#class;
    this.#class = undefined;
    this.#collector.open(file);
    // A method's own lines include its declaration, which need not be executable; most writers list the rest twice.
    for (const [line, hits] of own.length > 0 ? own : ofMethods) {
      this.#listed.total++;
      if (hits > 0) this.#listed.covered++;
      const why = this.#collector.add(file, line, hits);
      if (why) this.fault(why);
    }
  }

  text(value: string): void {
    if (this.why || this.#path.at(-1) !== 'source' || this.#roots.size >= MAX_ROOTS) return;
    this.#roots.add(reportPath(value));
  }

  result(): Parsed<RootedCoverageReport> {
    const files = this.#collector.files();
    const why = this.why ?? this.#contradiction(files);
    if (why) return { ok: false, why: `invalid Cobertura report: ${why}` };
    const roots = [...this.#roots].filter((root) => root !== '');
    const [root] = roots;
    if (roots.length > 1) return { ok: true, value: { format: 'cobertura', files, roots } };
    const located = files.map((file) => ({ ...file, path: join(root, file.path) }));
    return { ok: true, value: { format: 'cobertura', files: located } };
  }

  #openReport(name: string, read: (key: string) => string | undefined): void {
    if (name !== 'coverage') this.fault('its root is not <coverage>');
    if (this.#claimed) this.fault('it has two roots');
    this.#claimed = {
      total: number(read('lines-valid')),
      covered: number(read('lines-covered')),
      rate: number(read('line-rate')),
    };
  }

  #openClass(file: string): void {
    if (file === '') this.fault('a class names no file');
    if (this.#class) this.fault('a class contains a class');
    this.#class = { file, own: [], ofMethods: [] };
  }

  #line(given: string | undefined, givenHits: string | undefined, current: ClassLines): void {
    const line = number(given);
    const hits = number(givenHits);
    if (line === undefined || hits === undefined) {
      this.fault(`a line has number ${show(given)} and hits ${show(givenHits)}`);
      return;
    }
    (this.#path.includes('method') ? current.ofMethods : current.own).push([line, hits]);
  }

  #contradiction(files: readonly { covered: number; total: number }[]): string | undefined {
    if (files.length === 0) return 'it has no file';
    const sums = {
      total: files.reduce((sum, file) => sum + file.total, 0),
      covered: files.reduce((sum, file) => sum + file.covered, 0),
    };
    const { total, covered, rate } = this.#claimed ?? {};
    const either = (key: 'total' | 'covered', claim: number | undefined) =>
      claim === undefined || claim === sums[key] || claim === this.#listed[key];
    if (!either('total', total)) return `it reports ${total} lines but lists ${sums.total}`;
    if (!either('covered', covered)) return `it reports ${covered} covered lines but lists ${sums.covered}`;
    const rates = [sums, this.#listed].map((one) => one.covered / one.total);
    const near = (one: number) => Number.isNaN(one) || Math.abs(one - (rate ?? one)) <= RATE_TOLERANCE;
    if (!rates.some(near))
      return `it reports a rate of ${rate} but lists ${sums.covered} of ${sums.total} lines`;
    return undefined;
  }
}

function join(root: string | undefined, path: string): string {
  return root === undefined || isAbsolutePath(path) ? path : reportPath(`${root}/${path}`);
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function show(text: string | undefined): string {
  return text === undefined ? 'none' : quoted(text);
}
