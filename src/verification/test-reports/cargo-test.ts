import type { Parsed, TestReport } from '../../domain/entities/test-report.ts';
import { eachLine } from '../coverage-reports/report-text.ts';
import { CargoBinary, type CargoTarget, reportTarget } from './cargo-binary.ts';
import { CompilerPlaces, cargoPlace } from './compiler-places.ts';
import { ReportBuilder } from './report-builder.ts';

const HEADER = /^ +Running (?:(unittests) )?(\S+) \((.+)\)$/;
const DOC_HEADER = /^ +Doc-tests (\S+)$/;
const BEGIN = /^running (\d{1,9}) tests?$/;
const COMPILE_ERROR = /^error(?:\[E\d+\])?: /;
const MAX_ERRORS = 50;
/** Examples of several crates that cannot be told apart. */
const SEVERAL: CargoTarget = { label: '(doc)', isDoc: true };
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out of the output
const ANSI_STYLE = /\u001b(?:\[[\d;]*m|\(B)/g;

/** Reads the output of cargo test: that of each test binary, and cargo's own lines around them. */
export function parseCargoTest(text: string): Parsed<TestReport> {
  const run = new CargoRun();
  for (const line of eachLine(text)) run.read(line.includes('\u001b') ? line.replace(ANSI_STYLE, '') : line);
  return run.isKnown
    ? { ok: true, value: run.report() }
    : { ok: false, why: 'it is not output of cargo test' };
}

class CargoRun {
  readonly #binaries: CargoBinary[] = [];
  readonly #targets: CargoTarget[] = [];
  readonly #errors: { message: string; file?: string; isCompiler: boolean }[] = [];
  readonly #places = new CompilerPlaces();
  /** The compiler's last error, until its place is found. */
  #unplaced: string | undefined;
  #open: CargoBinary | undefined;
  #header: CargoTarget | undefined;
  /** How many targets were named before the first binary started. */
  #targetsBefore: number | undefined;
  #notCompiled = false;
  #failed = false;
  #resultOutside = false;

  get isKnown(): boolean {
    return this.#binaries.length > 0 || this.#targets.length > 0 || this.#notCompiled;
  }

  read(line: string): void {
    const header = readHeader(line);
    const begin = BEGIN.exec(line);
    if (header) {
      this.#targets.push(header);
      this.#header = header;
      this.#open = undefined;
    } else if (begin && !this.#open?.isBusy) {
      const last = this.#binaries.at(-1)?.target;
      this.#targetsBefore ??= this.#targets.length;
      this.#open = new CargoBinary(Number(begin[1]), this.#header ?? (last?.isDoc ? last : undefined));
      this.#header = undefined;
      this.#binaries.push(this.#open);
    } else if (this.#open) {
      this.#readWithin(line, this.#open);
    } else this.#readOutside(line);
  }

  report(): TestReport {
    const builder = new ReportBuilder('cargo test');
    for (const { target, binaries } of this.#groups()) reportTarget(binaries, target, builder);
    const isOwn = this.#hasOwnErrors(builder.build());
    const shown = this.#errors.filter(({ isCompiler }) => isOwn || !isCompiler);
    // The places of all errors belong to the first: there may be more errors than faults.
    const first = shown.find(({ isCompiler }) => isCompiler);
    for (const one of shown)
      builder.addFault(one.message, one.file, { places: one === first ? this.#places.found : [] });
    if (this.#resultOutside) {
      builder.addFault('a test result outside any test run; a test may have printed it', undefined, {
        code: 'forged',
      });
    }
    const { tests, faults } = builder.build();
    if (this.#failed && faults.length === 0 && !tests.some(({ status }) => status === 'failed')) {
      builder.addFault('cargo reports failed tests but lists none', undefined, {
        code: 'failed-without-test',
      });
    }
    return builder.build();
  }

  /** Tests may start a compiler, which prints its errors; cargo's own come with a failure of cargo. */
  #hasOwnErrors({ tests }: TestReport): boolean {
    if (this.#notCompiled || this.#binaries.length === 0) return true;
    return this.#failed && !tests.some(({ status }) => status === 'failed');
  }

  /**
   * The binaries of each target. Cargo names targets on stderr and they print to stdout; separate streams are matched
   * by order. Examples come last, and those of one target may run in several groups.
   */
  #groups(): { target: CargoTarget | undefined; binaries: CargoBinary[] }[] {
    const [targets, binaries] = [this.#targets, this.#binaries];
    const docs = targets.filter(({ isDoc }) => isDoc);
    const others = targets.length - docs.length;
    const isSeparate = this.#targetsBefore === targets.length && binaries.length > targets.length;
    const targetOf = (binary: CargoBinary, at: number) => {
      if (targets.length === binaries.length) return targets[at];
      if (!isSeparate || docs.length === 0) return binary.target;
      return at < others ? targets.filter(({ isDoc }) => !isDoc)[at] : docs.length === 1 ? docs[0] : SEVERAL;
    };
    const groups: { target: CargoTarget | undefined; binaries: CargoBinary[] }[] = [];
    for (const [at, binary] of binaries.entries()) {
      const target = targetOf(binary, at);
      const last = groups.at(-1);
      if (target?.isDoc && last?.target === target) last.binaries.push(binary);
      else groups.push({ target, binaries: [binary] });
    }
    return groups;
  }

  #readWithin(line: string, open: CargoBinary): void {
    // A binary that ended in the middle of its line leaves the rest of the line to cargo.
    const cut = line.indexOf('error: test failed, to rerun pass');
    if (cut === -1) {
      if (open.read(line) === 'ended') this.#open = undefined;
      return;
    }
    if (cut > 0) open.read(line.slice(0, cut));
    this.#open = undefined;
    this.#readOutside(line.slice(cut));
  }

  #readOutside(line: string): void {
    if (line.startsWith('test result: ')) this.#resultOutside = true;
    if (/^error: (?:(?:test|doctest) failed|\d+ targets? failed)/.test(line)) this.#failed = true;
    else if (line.startsWith('error: could not compile')) {
      this.#notCompiled = true;
      this.#add(line, true);
    } else if (COMPILE_ERROR.test(line)) {
      this.#unplaced = line;
      this.#add(line, true);
    } else if (line.trimStart().startsWith("process didn't exit successfully: "))
      this.#add(line.trim(), false);
    else {
      const place = cargoPlace(line, this.#unplaced ?? '');
      const last = this.#errors.at(-1);
      if (place !== undefined && this.#unplaced !== undefined) this.#places.add(place);
      if (place !== undefined) this.#unplaced = undefined;
      if (place !== undefined && last && last.file === undefined) {
        last.file = place.file;
        last.message += `\n${line.trim()}`;
      }
    }
  }

  #add(message: string, isCompiler: boolean): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ message, isCompiler });
  }
}

function readHeader(line: string): CargoTarget | undefined {
  const doc = DOC_HEADER.exec(line);
  if (doc) return { label: `${doc[1]} (doc)`, isDoc: true };
  const match = HEADER.exec(line);
  if (!match) return undefined;
  const [, unit, source = '', binary = ''] = match;
  const name = binary.slice(Math.max(binary.lastIndexOf('/'), binary.lastIndexOf('\\')) + 1);
  const crate = name.replace(/(?:-[0-9a-f]{16})?(?:\.exe)?$/, '');
  // Unit tests can be in any file of the crate, those of tests/ in the named one.
  return { label: `${crate} (${source})`, isDoc: false, ...(unit ? {} : { file: source }) };
}
