import type { ReportFaultCode, TestStatus } from '../../domain/entities/test-report.ts';
import type { ReportBuilder } from './report-builder.ts';

const MAX_OUTPUT = 2000;
const MAX_DEPTH = 50;
const MAX_NAMED = 5;
const MAX_STRANGE = 20;

interface GoTest {
  running: boolean;
  status?: TestStatus;
  output: string;
}

/** Reads the output of go test for one package: starts and ends of tests, their output, and the package's result. */
export class GoPackage {
  result: 'pass' | 'fail' | 'skip' | undefined;
  readonly #tests = new Map<string, GoTest>();
  /** Running top-level tests. Only tests that were paused to run in parallel can be several. */
  readonly #active = new Set<string>();
  readonly #strange = new Set<string>();
  #started = false;
  #output = '';
  #panic: string | undefined;

  get hasTests(): boolean {
    return this.#tests.size > 0 || this.#strange.size > 0;
  }

  isRunning(name: string): boolean {
    return this.#tests.get(name)?.running === true;
  }

  /** Whether a parent of this test is running. */
  runsAbove(name: string): boolean {
    return testsAbove(name).some((above) => this.isRunning(above));
  }

  start(name: string): void {
    if (!name.includes('/')) {
      const [other] = this.#active;
      if (other !== undefined) this.#note(`${name} is reported to start while ${other} runs`);
      this.#active.add(name);
    }
    this.#started = true;
    this.#test(name).running = true;
  }

  pause(name: string): void {
    this.#active.delete(name);
  }

  end(name: string, status: TestStatus): void {
    const known = this.#tests.get(name);
    // Without -v, only failing tests are shown, without their start.
    const quiet = !this.#started && status === 'failed';
    if (!known && !quiet) {
      this.#note(`${name} is reported as ${status} but never started`);
      return;
    }
    const test = this.#test(name);
    test.running = false;
    test.status = worse(test.status, status);
    this.#active.delete(name);
  }

  print(name: string | undefined, line: string): void {
    const test = name === undefined ? undefined : this.#tests.get(name);
    if (line.startsWith('panic: ')) this.#panic ??= line;
    if (test) test.output = appended(test.output, line);
    else this.#output = appended(this.#output, line);
  }

  report(name: string, builder: ReportBuilder): void {
    const parents = new Set<string>();
    const failedBelow = new Set<string>();
    const unended: string[] = [];
    let failed = 0;
    for (const [test, { running, status }] of this.#tests) {
      const fails = running || status === 'failed';
      if (fails) failed++;
      if (running) unended.push(test);
      for (const above of testsAbove(test)) {
        parents.add(above);
        if (fails) failedBelow.add(above);
      }
    }
    for (const [test, { running, status = 'failed', output }] of this.#tests) {
      // A test with subtests is their sum, unless it has output of its own.
      if (parents.has(test) && ((!running && status === 'passed') || failedBelow.has(test))) continue;
      const path = test.split('/', MAX_DEPTH);
      const message = running ? `It started and did not finish.\n${output}` : output;
      builder.addTest({
        path,
        package: name,
        status: running ? 'failed' : status,
        ...(running || status !== 'passed' ? { message } : {}),
      });
    }
    this.#reportFaults(name, builder, failed, unended);
  }

  #reportFaults(name: string, builder: ReportBuilder, failed: number, unended: readonly string[]): void {
    const add = (code: ReportFaultCode, message: string) =>
      builder.addFault(message, undefined, { package: name, code });
    if (unended.length > 0) {
      const names = unended.slice(0, MAX_NAMED).join(', ');
      const more = unended.length > MAX_NAMED ? ` and ${unended.length - MAX_NAMED} more` : '';
      add('tests-open', `${name}: tests started and did not finish: ${names}${more}`);
    }
    if (this.result === 'fail' && this.#panic !== undefined) add('panicked', `${name}: ${this.#panic}`);
    if (this.result === 'fail' && failed === 0) {
      add('failed-without-test', `${name} failed although none of its tests failed.\n${this.#output}`);
    }
    if (this.result === 'pass' && failed > 0) {
      add('contradicts-tests', `${name} is reported as passed although ${failed} of its tests failed`);
    }
    if (this.result === undefined)
      add('cut-off', `${name}: the output ends before the result of the package`);
    for (const strange of this.#strange) {
      add('forged', `${name}: ${strange}; a test may have printed it`);
    }
  }

  #note(strange: string): void {
    if (this.#strange.size < MAX_STRANGE) this.#strange.add(strange);
  }

  #test(name: string): GoTest {
    const known = this.#tests.get(name);
    if (known) return known;
    const test: GoTest = { running: false, output: '' };
    this.#tests.set(name, test);
    return test;
  }
}

/** `TestX` and `TestX/a` of `TestX/a/b`. */
function testsAbove(name: string): string[] {
  const above: string[] = [];
  for (let at = name.indexOf('/'); at !== -1 && above.length < MAX_DEPTH; at = name.indexOf('/', at + 1)) {
    above.push(name.slice(0, at));
  }
  return above;
}

/** A test may run several times with -count or -cpu. */
function worse(one: TestStatus | undefined, other: TestStatus): TestStatus {
  if (one === 'failed' || other === 'failed') return 'failed';
  return one === 'passed' ? one : other;
}

function appended(output: string, line: string): string {
  return output.length < MAX_OUTPUT ? `${output}${line.slice(0, MAX_OUTPUT)}\n` : output;
}
