import type { TestStatus } from '../../domain/entities/test-report.ts';
import type { ReportBuilder } from './report-builder.ts';

interface Point {
  name: string;
  /** The comment before it: tape and similar runners name their tests like that. */
  heading: string;
  status: TestStatus;
  message: string;
  children: Point[];
}

interface Level {
  points: Point[];
  /** Numbers may come in any order, and Node repeats some; more than planned are too many. */
  highest: number;
  plan: number | undefined;
  /** Names of tests that were skipped without a result. */
  skipped: string[];
}

/** Totals at the end. */
const FIGURES = /^(?:[a-z_]+:?\s+[\d.]+$|time=|ok$)/;

/** One TAP document: its points with their children, and its inconsistencies. */
export class TapDocument {
  readonly #report: ReportBuilder;
  readonly #subtestsAreTests: boolean;
  /** Subtests come, indented, before the point that sums them up. */
  #levels: Level[] = [newLevel()];
  #last: Point | undefined;
  #heading = '';
  #usesSubtests = false;
  #bailedOut = false;

  constructor(report: ReportBuilder, subtestsAreTests: boolean) {
    this.#report = report;
    this.#subtestsAreTests = subtestsAreTests;
  }

  get isEmpty(): boolean {
    return this.#last === undefined && !this.#bailedOut && this.#levels[0]?.plan === undefined;
  }

  add(line: TapLine, depth: number): void {
    switch (line.type) {
      case 'bail':
        // A subtest that bails out reports it twice: for itself and for the whole.
        if (!this.#bailedOut)
          this.#report.addFault(`The run bailed out: ${line.reason || 'no reason given'}.`, undefined, {
            code: 'bailed-out',
          });
        this.#bailedOut = true;
        return;
      case 'comment':
        this.#addComment(line.text, depth);
        return;
      case 'plan':
        this.#addPlan(line.count, depth);
        return;
      case 'point':
        this.#addPoint(line, depth);
        return;
      case 'version':
      case 'other':
        return;
    }
  }

  diagnose(text: string): void {
    if (this.#last !== undefined) this.#last.message ||= text;
  }

  end(): void {
    const [top = newLevel(), ...deeper] = this.#levels;
    this.#closeLevel(top, '');
    for (const level of deeper) {
      if (level.points.length === 0) continue;
      this.#report.addFault('A subtest started and did not finish.', undefined, { code: 'subtest-open' });
      addPoints(this.#report, level.points, this.#subtestsAreTests);
    }
    if (top.plan === undefined && !this.#bailedOut)
      this.#report.addFault('The TAP has no plan, so tests may be missing.', undefined, {
        code: 'plan-missing',
      });
    addPoints(this.#report, top.points, this.#subtestsAreTests);
    for (const name of top.skipped) this.#report.addTest({ path: [name], status: 'skipped' });
  }

  #addComment(text: string, depth: number): void {
    if (text.startsWith('Subtest')) this.#usesSubtests = true;
    if (this.#usesSubtests || depth > 0 || text === '' || FIGURES.test(text)) return;
    // tape has no result for skipped tests.
    if (text.startsWith('SKIP ')) this.#level(0).skipped.push(text.slice(5));
    else this.#heading = text.startsWith('TODO ') ? text.slice(5) : text;
  }

  #addPlan(count: number, depth: number): void {
    const level = this.#level(depth);
    if (level.plan !== undefined)
      this.#report.addFault('The TAP has more than one plan.', undefined, { code: 'plan-repeated' });
    level.plan = count;
  }

  #addPoint(line: Extract<TapLine, { type: 'point' }>, depth: number): void {
    const level = this.#level(depth);
    const inside = this.#levels.splice(depth + 1);
    const children = inside.flatMap((one) => one.points);
    if (inside[0] !== undefined) this.#closeLevel(inside[0], line.name);
    const heading = this.#usesSubtests || depth > 0 || this.#heading === line.name ? '' : this.#heading;
    const point = { name: line.name, heading, status: line.status, message: line.reason, children };
    level.points.push(point);
    this.#last = point;
    level.highest = Math.max(level.highest, line.number ?? 0);
  }

  #level(depth: number): Level {
    while (this.#levels.length <= depth) this.#levels.push(newLevel());
    return this.#levels[depth] ?? newLevel();
  }

  #closeLevel({ plan, points, highest }: Level, name: string): void {
    const where = name === '' ? '' : ` of ${name}`;
    if (plan !== undefined && plan !== points.length) {
      this.#report.addFault(
        `The plan${where} has ${plan} tests, but ${points.length} were reported.`,
        undefined,
        {
          code: 'plan-not-kept',
        },
      );
    } else if (plan !== undefined && highest > plan) {
      this.#report.addFault(`A result${where} has a number outside the plan 1..${plan}.`, undefined, {
        code: 'number-outside-plan',
      });
    }
  }
}

function newLevel(): Level {
  return { points: [], highest: 0, plan: undefined, skipped: [] };
}

function addPoints(report: ReportBuilder, roots: readonly Point[], subtestsAreTests: boolean): void {
  const open = roots.map((point) => ({ point, path: [point.heading, point.name] })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { point, path } = next;
    if (point.children.length === 0 && isFile(point)) {
      if (point.status === 'failed') report.addFault(point.message, point.name);
      continue;
    }
    if (subtestsAreTests && holdsAssertions(point)) {
      const failing = point.children.find(({ status }) => status === 'failed');
      // The name of an assertion says what failed; its diagnostic begins with a stack.
      const message = failing ? [failing.name, failing.message].filter(Boolean).join('\n') : point.message;
      report.addTest({ path, status: point.status, message });
      continue;
    }
    // A point with tests inside is a suite; it counts only if it fails while all of them pass.
    const failsAlone = point.status === 'failed' && !point.children.some(({ status }) => status === 'failed');
    if (point.children.length === 0 || failsAlone) {
      report.addTest({ path, status: point.status, message: point.message });
    }
    for (const child of point.children.toReversed()) open.push({ point: child, path: [...path, child.name] });
  }
}

function holdsAssertions({ children }: Point): boolean {
  return children.length > 0 && children.every((child) => child.children.length === 0);
}

/** node:test has a result for a file without tests, recognizable by its duration. */
function isFile({ name, message }: Point): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && message.startsWith('duration_ms:');
}

export type TapLine =
  | { type: 'version' }
  | { type: 'plan'; count: number; reason: string }
  | { type: 'point'; number: number | undefined; name: string; status: TestStatus; reason: string }
  | { type: 'bail'; reason: string }
  | { type: 'comment'; text: string }
  | { type: 'other' };

/** Parses one line of TAP without its indentation. */
export function readTapLine(line: string): TapLine {
  if (/^TAP version \d+\s*$/i.test(line)) return { type: 'version' };
  if (line.startsWith('Bail out!')) return { type: 'bail', reason: line.slice(9).trim() };
  if (line.startsWith('#')) return { type: 'comment', text: line.slice(1).trim() };
  const plan = /^1\.\.(\d{1,9})(?:\s|$)/.exec(line);
  if (plan !== null) {
    return { type: 'plan', count: Number(plan[1]), reason: splitDirective(line).reason };
  }
  const point = /^(not )?ok(?= |$)/.exec(line);
  return point === null ? { type: 'other' } : readPoint(line.slice(point[0].length), point[1] === undefined);
}

function readPoint(rest: string, ok: boolean): TapLine {
  const { text, directive, reason } = splitDirective(rest);
  const number = /^ +(\d{1,9})(?= |$)/.exec(text);
  const described = text.slice(number?.[0].length ?? 0).trim();
  const name = described === '-' ? '' : described.startsWith('- ') ? described.slice(2).trim() : described;
  return {
    type: 'point',
    number: number === null ? undefined : Number(number[1]),
    name: unescaped(name),
    // A todo test may fail; a skipped test that is `not ok` has failed.
    status: directive === 'todo' ? 'todo' : !ok ? 'failed' : directive === 'skip' ? 'skipped' : 'passed',
    reason,
  };
}

/** Removes `# SKIP why`, `# TODO why` and `# time=2ms` from the end. */
function splitDirective(text: string): { text: string; directive?: 'skip' | 'todo'; reason: string } {
  for (let at = text.indexOf('#'); at !== -1; at = text.indexOf('#', at + 1)) {
    if (text[at - 1] !== ' ') continue;
    const after = text.slice(at + 1, at + 1 + 500).trimStart();
    const found = /^(skip|todo)\S*\s*/i.exec(after);
    if (found !== null) {
      const directive = found[1]?.toLowerCase() === 'todo' ? 'todo' : 'skip';
      return { text: text.slice(0, at - 1), directive, reason: after.slice(found[0].length).trim() };
    }
    if (after.startsWith('time=')) return { text: text.slice(0, at - 1), reason: '' };
  }
  return { text, reason: '' };
}

function unescaped(name: string): string {
  return name.includes('\\') ? name.replace(/\\([#\\])/g, '$1') : name;
}
