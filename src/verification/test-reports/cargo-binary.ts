import type { TestStatus } from '../../domain/entities/test-report.ts';
import type { ReportBuilder } from './report-builder.ts';

export interface CargoTarget {
  label: string;
  isDoc: boolean;
  file?: string;
}

interface CargoTest {
  name: string;
  status: TestStatus | 'measured';
  message?: string | undefined;
}

const RESULT =
  /^test result: (ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; /;
const ENDED = /^(?:ok|FAILED)(?: <\d+\.\d+s>)?$/;
const IGNORED_FOR = 'ignored, ';
const SHOULD_PANIC = ' - should panic';
const MAX_OUTPUT = 2000;

/** Reads the output of one test binary, from `running 3 tests` to `test result:`. */
export class CargoBinary {
  readonly target: CargoTarget | undefined;
  readonly #announced: number;
  readonly #tests: CargoTest[] = [];
  readonly #output = new Map<string, string>();
  /** Text after half a line that a test printed; it counts as results if it supplies exactly the missing ones. */
  readonly #behind: CargoTest[] = [];
  /** A test whose line was started, and its output since then; the last line may end with its result. */
  #pending: { name: string; last: string } | undefined;
  /** Output of tests, which follows all results. */
  #section: { name?: string | undefined } | undefined;
  #hasFailures = false;
  #sum: { result: string; counts: number[] } | undefined;

  constructor(announced: number, target: CargoTarget | undefined) {
    this.#announced = announced;
    this.target = target;
  }

  /** Within a binary's results, the apparent start of another binary is output of a test. */
  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  read(line: string): 'ended' | 'open' {
    const sum = RESULT.exec(line);
    if (sum) {
      this.#settle();
      this.#sum = { result: sum[1] ?? '', counts: sum.slice(2, 6).map(Number) };
      return 'ended';
    }
    if (line === 'failures:' || line === 'successes:') {
      this.#settle();
      this.#section = {};
      this.#hasFailures ||= line === 'failures:';
    } else if (this.#section) this.#readSection(line, this.#section);
    else this.#readResult(line);
    return 'open';
  }

  /** All results, after the last line. */
  finish(): CargoTest[] {
    this.#settle(true);
    if (this.#tests.length + this.#behind.length === this.#announced)
      for (const test of this.#behind.splice(0)) this.#tests.push(test);
    return this.#tests.map((test) => ({
      ...test,
      message:
        test.message ?? (test.status === 'failed' ? this.#output.get(plainName(test.name)) : undefined),
    }));
  }

  #readResult(line: string): void {
    if (this.#pending && !line.startsWith('test ')) {
      if (line !== '') this.#pending.last = line;
      return;
    }
    const start = line.startsWith('test ') ? 0 : line.lastIndexOf('test ');
    const dots = start === -1 ? -1 : line.indexOf(' ... ', start + 5);
    if (dots === -1) return;
    const name = line.slice(start + 'test '.length, dots);
    const rest = line.slice(dots + ' ... '.length);
    const test = readTest(name, rest);
    if (start > 0) {
      if (test) this.#behind.push(test);
      return;
    }
    this.#settle();
    if (test) this.#tests.push(test);
    else this.#pending = { name, last: rest };
  }

  /** Without capture, a result follows the test's output: `test a ... printed` and then `ok`. */
  #settle(isOver = false): void {
    if (!this.#pending) return;
    const { name, last } = this.#pending;
    this.#pending = undefined;
    if (last.endsWith('ok')) this.#tests.push({ name, status: 'passed' });
    else if (last.endsWith('FAILED')) this.#tests.push({ name, status: 'failed' });
    else
      this.#tests.push({ name, status: 'failed', message: isOver ? 'It started and did not finish.' : last });
  }

  #readSection(line: string, section: { name?: string | undefined }): void {
    const header = /^---- (.+) stdout ----$/.exec(line);
    if (header) section.name = header[1];
    else if (section.name !== undefined) {
      const output = this.#output.get(section.name) ?? '';
      if (output.length < MAX_OUTPUT)
        this.#output.set(section.name, `${output}${line.slice(0, MAX_OUTPUT)}\n`);
    }
  }

  reportFaults(label: string, builder: ReportBuilder): void {
    const counted = { passed: 0, failed: 0, skipped: 0, measured: 0, todo: 0 };
    for (const { status } of this.#tests) counted[status]++;
    if (!this.#sum) {
      builder.addFault(
        `${label} ended without a result, after ${this.#tests.length} of ${this.#announced} tests`,
        undefined,
        { code: 'ended-early' },
      );
      return;
    }
    const { result, counts } = this.#sum;
    const [passed = 0, failed = 0, ignored = 0, measured = 0] = counts;
    const listed = [counted.passed, counted.failed, counted.skipped, counted.measured];
    if (
      listed.some((count, index) => count !== counts[index]) ||
      passed + failed + ignored + measured !== this.#announced
    ) {
      builder.addFault(
        `${label} announced ${this.#announced} tests, lists ${counted.passed} passed, ${counted.failed} failed and ${counted.skipped} ignored, but reports ${passed}, ${failed} and ${ignored}`,
        undefined,
        { code: 'counts-differ' },
      );
    }
    if ((result === 'ok') !== (failed === 0) || this.#hasFailures !== failed > 0)
      builder.addFault(`${label} reports ${result} with ${failed} failed tests`, undefined, {
        code: 'contradicts-tests',
      });
    const names = new Set(this.#tests.map(({ name }) => name));
    if (names.size !== this.#tests.length)
      builder.addFault(`${label} lists a test twice; a test may have printed it`, undefined, {
        code: 'forged',
      });
  }
}

/** Adds the results of one target. From edition 2024 on, its examples run in several groups. */
export function reportTarget(
  binaries: readonly CargoBinary[],
  target: CargoTarget | undefined,
  builder: ReportBuilder,
): void {
  const seen = new Map<string, number>();
  for (const test of binaries.flatMap((binary) => binary.finish()).toSorted(byLine)) {
    if (test.status === 'measured') continue;
    const { path, file } = place(test.name, target);
    const key = path.join('::');
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times > 1) path.push(`${path.pop()} #${times}`);
    builder.addTest({ path, file, status: test.status, message: test.message });
  }
  for (const binary of binaries) binary.reportFaults(target?.label ?? 'a test binary', builder);
}

function readTest(name: string, result: string): CargoTest | undefined {
  if (ENDED.test(result)) return { name, status: result.startsWith('ok') ? 'passed' : 'failed' };
  if (result === 'ignored') return { name, status: 'skipped' };
  if (result.startsWith(IGNORED_FOR))
    return { name, status: 'skipped', message: result.slice(IGNORED_FOR.length) };
  return result.startsWith('bench: ') ? { name, status: 'measured' } : undefined;
}

/** The name as in the list of failures. */
function plainName(name: string): string {
  return name.endsWith(SHOULD_PANIC) ? name.slice(0, -SHOULD_PANIC.length) : name;
}

interface Example {
  file: string;
  item: string;
  line: number;
}

/** Compares the ends of names, so that long names are not slow. */
function readExample(name: string): Example | undefined {
  const dash = name.indexOf(' - ');
  const file = name.slice(0, Math.max(dash, 0));
  const open = name.lastIndexOf('(line ');
  const line = /^\(line (\d{1,9})\)/.exec(name.slice(open, open + 20))?.[1];
  if (!/\.(?:rs|md)$/.test(file) || open < dash || line === undefined) return undefined;
  return { file, item: name.slice(dash + 3, open).trim(), line: Number(line) };
}

/** Examples end in any order; those of one item are distinguished by their order in the file. */
function byLine(one: CargoTest, other: CargoTest): number {
  const [first, second] = [readExample(one.name), readExample(other.name)];
  if (!first || !second) return 0;
  return first.file === second.file ? first.line - second.line : first.file < second.file ? -1 : 1;
}

/**
 * `a::b - should panic` is a test b in a; `src/lib.rs - add (line 5)` is an example, whose line changes with any edit.
 */
function place(
  given: string,
  target: CargoTarget | undefined,
): { path: string[]; file?: string | undefined } {
  const label = target ? [target.label] : [];
  const example = readExample(given);
  if (example) return { path: [...label, example.file, ...example.item.split('::')], file: example.file };
  return { path: [...label, ...plainName(given).split('::')], file: target?.file };
}
