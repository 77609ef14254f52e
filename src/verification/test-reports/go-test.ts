import type { Parsed, TestReport, TestStatus } from '../../domain/entities/test-report.ts';
import { eachLine } from '../coverage-reports/report-text.ts';
import { CompilerPlaces, goPlace } from './compiler-places.ts';
import { GoPackage } from './go-package.ts';
import { ReportBuilder } from './report-builder.ts';

const STATUSES: ReadonlyMap<string, TestStatus> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
]);

interface GoEvent {
  Action: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Output?: string;
}

const END = /--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/;
const MARK = /=== (RUN|PAUSE|CONT|NAME) +(\S+)$/;
/** The result of a package, which comes last. */
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t([^\s[]+)(?:$|[\t ])/;

/**
 * Reads the output of go test: with -json, also mixed with other lines, with -v, or with neither, which names failures
 * only.
 */
export function parseGoTest(text: string): Parsed<TestReport> {
  const builder = new ReportBuilder('go test');
  const known = isJson(text) ? readJson(text, builder) : readText(text, builder);
  return known ? { ok: true, value: builder.build() } : { ok: false, why: 'it is not output of go test' };
}

function isJson(text: string): boolean {
  for (const line of eachLine(text)) if (readEvent(line)) return true;
  return false;
}

function readEvent(line: string): GoEvent | undefined {
  if (!line.startsWith('{') || !line.includes('"Action"')) return undefined;
  try {
    const event: unknown = JSON.parse(line);
    return isEvent(event) ? event : undefined;
  } catch {
    // Safe: a line that is not an event is text, and a test without an end counts as failed.
    return undefined;
  }
}

/** Not parsed by a schema: there are several events for every test. */
function isEvent(value: unknown): value is GoEvent {
  if (value === null || typeof value !== 'object') return false;
  const isText = (key: string) => typeof Reflect.get(value, key) === 'string';
  const mayBeText = (key: string) => !(key in value) || isText(key);
  return isText('Action') && ['Package', 'ImportPath', 'Test', 'Output'].every(mayBeText);
}

function readJson(text: string, builder: ReportBuilder): boolean {
  const packages = new Map<string, GoPackage>();
  const builds = new BuildOutput();
  for (const line of eachLine(text)) {
    const event = readEvent(line);
    if (!event) {
      builds.read(line);
      continue;
    }
    if (event.Action === 'build-output') builds.add(event.ImportPath ?? '', event.Output ?? '');
    if (event.Package === undefined) continue;
    const found = packages.get(event.Package) ?? new GoPackage();
    packages.set(event.Package, found);
    if (event.Test === undefined) readPackageEvent(event, found, builds);
    else readTestEvent(event, event.Test, found);
  }
  for (const [name, found] of packages) if (!builds.hasFailed(name)) found.report(name, builder);
  builds.report(builder);
  return true;
}

function readPackageEvent({ Action, Output }: GoEvent, found: GoPackage, builds: BuildOutput): void {
  if (Action === 'output' && Output !== undefined) {
    const line = withoutEnd(Output);
    const isResult = line === 'FAIL' || line === 'PASS' || PACKAGE.test(line);
    if (!builds.readFailure(line) && !isResult) found.print(undefined, line);
  } else if (Action === 'fail' || found.result === 'fail') found.result = 'fail';
  else if (Action === 'pass' || Action === 'skip') found.result = Action;
}

function readTestEvent({ Action, Output }: GoEvent, test: string, found: GoPackage): void {
  const status = STATUSES.get(Action);
  if (status) found.end(test, status);
  else if (Action === 'run') found.start(test);
  else if (Action === 'pause') found.pause(test);
  else if (Action === 'output' && Output !== undefined) {
    const line = withoutEnd(Output);
    const end = END.exec(line);
    const mark = MARK.exec(line);
    // Before go 1.20, text after half a line that a test printed has no event of its own.
    if (end && end[2] === test && line.slice(0, end.index).trim() !== '') endBy(end, found);
    else if (mark && mark.index > 0) readMark(mark, found);
    else if (!end && !mark) found.print(test, line);
  }
}

function readText(text: string, builder: ReportBuilder): boolean {
  const builds = new BuildOutput();
  let found = new GoPackage();
  let current: string | undefined;
  let known = false;
  for (const line of eachLine(text)) {
    if (builds.read(line)) {
      known ||= builds.anyFailed;
      continue;
    }
    const mark = MARK.exec(line);
    const end = END.exec(line);
    const result = PACKAGE.exec(line);
    if (mark && readMark(mark, found)) {
      current = mark[2];
      known = true;
    } else if (end && (line.slice(0, end.index).trim() === '' || found.isRunning(end[2] ?? ''))) {
      endBy(end, found);
      current = end[2];
      known = true;
    } else if (result) {
      found.result = result[1] === 'FAIL' ? 'fail' : result[1]?.startsWith('ok') ? 'pass' : 'skip';
      found.report(result[2] ?? '', builder);
      found = new GoPackage();
      current = undefined;
      known = true;
    } else if (line !== 'FAIL' && line !== 'PASS') found.print(current, line);
  }
  if (known && found.hasTests) found.report('(unnamed package)', builder);
  builds.report(builder);
  return known;
}

/** After half a line that a test printed, only a mark that fits the running tests counts. */
function readMark(match: RegExpExecArray, found: GoPackage): boolean {
  const [, action, name = ''] = match;
  const fits = action === 'RUN' ? found.runsAbove(name) : found.isRunning(name);
  if (match.index > 0 && !fits) return false;
  if (action === 'RUN') found.start(name);
  else if (action === 'PAUSE') found.pause(name);
  return true;
}

function endBy(match: RegExpExecArray, found: GoPackage): void {
  const status = STATUSES.get((match[1] ?? '').toLowerCase());
  if (status) found.end(match[2] ?? '', status);
}

const NOT_BUILT = /^FAIL\t(\S+) \[(build|setup) failed\]$/;
const MAX_BUILD_LINES = 50;

/**
 * The compiler's messages, which are separate from the tests, and the packages that could not be tested because of
 * them.
 */
class BuildOutput {
  readonly #output = new Map<string, string[]>();
  readonly #places = new Map<string, CompilerPlaces>();
  readonly #failed = new Map<string, string>();
  #current: string | undefined;

  get anyFailed(): boolean {
    return this.#failed.size > 0;
  }

  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  /** Whether a line is of this kind. */
  read(line: string): boolean {
    if (this.readFailure(line)) return true;
    const header = /^# (\S+(?: \[\S+\])?)$/.exec(line);
    if (header) {
      this.#current = header[1];
      return true;
    }
    if (this.#current === undefined) return false;
    if (!/^\S+\.go:\d+|^\t|^too many errors/.test(line)) {
      this.#current = undefined;
      return false;
    }
    this.add(this.#current, line);
    return true;
  }

  readFailure(line: string): boolean {
    const failure = NOT_BUILT.exec(line);
    if (!failure) return false;
    this.#failed.set(failure[1] ?? '', failure[2] ?? '');
    this.#current = undefined;
    return true;
  }

  add(importPath: string, output: string): void {
    const name = testedPackage(importPath);
    const lines = this.#output.get(name) ?? [];
    this.#output.set(name, lines);
    if (lines.length < MAX_BUILD_LINES && !output.startsWith('# ')) lines.push(withoutEnd(output));
    const place = goPlace(withoutEnd(output));
    if (place === undefined) {
      if (output.startsWith('\t')) this.#places.get(name)?.continue(output.trim());
      return;
    }
    const places = this.#places.get(name) ?? new CompilerPlaces();
    this.#places.set(name, places);
    places.add(place);
  }

  report(builder: ReportBuilder): void {
    for (const [name, step] of this.#failed) {
      // The package that does not compile may be one that this one imports.
      const output = this.#output.get(name) ?? [...this.#output.values()].flat().slice(0, MAX_BUILD_LINES);
      const file = output
        .map((line) => /^(\S+\.go):\d+/.exec(line)?.[1])
        .find((found) => found !== undefined);
      const [what, code] =
        step === 'build'
          ? (['does not compile', 'not-compiled'] as const)
          : (['could not be set up', 'not-set-up'] as const);
      const places = this.#places.get(name)?.found ?? [];
      builder.addFault([`${name} ${what}`, ...output].join('\n'), file, { package: name, code, places });
    }
  }
}

/** `calc` of `calc_test [calc.test]`, its tests in a package of their own, and of `calc [calc.test]`. */
function testedPackage(importPath: string): string {
  const [name = '', variant = ''] = importPath.split(' ', 2);
  const [, tested] = /^\[(\S+)\.test\]$/.exec(variant) ?? [];
  return tested !== undefined && name === `${tested}_test` ? tested : name;
}

/** An event's output is a line with its line end. */
function withoutEnd(output: string): string {
  return output.endsWith('\n') ? output.slice(0, -1) : output;
}
