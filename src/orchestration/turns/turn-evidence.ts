import type { TestResult } from '../../domain/entities/test-report.ts';
import type { Outcome, Verification } from '../../domain/entities/verification.ts';
import { cleanText } from '../../domain/json/clean-text.ts';
import type { PathChange } from '../../platform/git/git-tree.ts';
import type { ChangedTest, Facts } from '../../verification/facts.ts';
import { countTests } from '../../verification/test-reports/merge-reports.ts';

/** GuardKit's own findings about a candidate: the only basis for a verdict. */
export interface TurnEvidence {
  verification: Verification;
  tests: readonly TestResult[];
  /** Null if no tests ran. */
  testCounts: { passed: number; failed: number; skipped: number } | null;
  /** Errors of the run outside any test. */
  faults: readonly string[];
  /** The project's own checks, its health included. */
  checks: readonly { name: string; result: Outcome; reason: string }[];
  /** Percent, in the gate's scope if known, else of the project; null if not measured. */
  coverage: number | null;
  /** Of the candidate against its base. */
  changes: readonly PathChange[];
  testsRequired: boolean;
  /** Tests of the base that the candidate does not pass in their base version. */
  changedTests: readonly ChangedTest[];
}

export function turnEvidence({
  verification,
  facts,
}: {
  verification: Verification;
  facts: Facts;
}): TurnEvidence {
  const { candidate, rules, health, checks } = facts;
  const counts = candidate ? countTests(candidate.results) : null;
  return {
    verification,
    tests: candidate?.results ?? [],
    testCounts: counts && {
      passed: counts.passed,
      failed: counts.failed,
      skipped: counts.skipped + counts.todo,
    },
    faults: (candidate?.faults ?? []).map(({ file, message }) => (file ? `${file}: ${message}` : message)),
    checks: (health ? [health, ...checks] : checks).map(({ check, result, reason }) => ({
      name: check.name,
      result,
      reason,
    })),
    coverage: coveragePercent(facts),
    changes: facts.changes,
    testsRequired: rules.testsRequired,
    changedTests: facts.baseTests?.ran ? facts.baseTests.changed : [],
  };
}

function coveragePercent({ coverage, rules }: Facts): number | null {
  if (!coverage.measured) return null;
  const { changed, project } = coverage.figures;
  const inScope = rules.coverageScope === 'changed' ? changed : project;
  return inScope.figure?.percent ?? project.figure?.percent ?? null;
}

type FoundEvidence =
  | { found: true; what: string }
  | {
      found: false;
      code:
        | 'none_named'
        | 'too_vague'
        | 'failed'
        | 'skipped'
        | 'several'
        | 'no_result'
        | 'file_only'
        | 'unknown';
      why: string;
    };

type Shown = Pick<TurnEvidence, 'tests' | 'checks' | 'changes' | 'testsRequired'>;

/** Names too vague to identify a test, even if a candidate has a test with that name. */
const NAMES_NOTHING = new Set(
  [
    'test,tests,all,all tests,tests pass,tests passed,all tests pass,all tests passed,the tests,unit tests',
    'test suite,the test suite,checks,all checks,check,passed,pass,verified,yes,done,ok,n/a,none',
    // Gates compare results; they do not prove a criterion.
    'change,coverage,harness,new tests bite,no test lost,non-empty,ui,architecture',
  ].flatMap((line) => line.split(',')),
);

const SHOWN = 120;

/**
 * Whether a text names something that GuardKit ran and saw pass: a test by its full name, its file and name, or a unique
 * ending of its name; or a check. If the task needs no tests, a changed file is enough. Several names, separated by
 * semicolons or line breaks, must all pass.
 */
export function findEvidence(written: string | null, shown: Shown): FoundEvidence {
  const text = plain(written ?? '');
  if (text === '') return { found: false, code: 'none_named', why: 'no evidence named' };
  const whole = findOne(text, shown);
  if (whole.found || !/[;\n]/.test(written ?? '')) return whole;
  const parts = (written ?? '')
    .split(/[;\n]/)
    .map((part) => plain(part.trim().replace(/^[-*] /, '')))
    .filter((part) => part !== '');
  const each = parts.map((part) => findOne(part, shown));
  return each.find(({ found }) => !found) ?? { found: true, what: parts.join('; ') };
}

function findOne(text: string, shown: Shown): FoundEvidence {
  const said = `"${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}"`;
  const words = text.toLowerCase().replace(/[.!]$/, '');
  if (NAMES_NOTHING.has(words))
    return { found: false, code: 'too_vague', why: `${said} does not name a specific test or check` };
  const check = shown.checks.find(({ name }) => plain(name) === text);
  if (check?.result === 'pass') return { found: true, what: check.name };
  const tests = matchingTests(text, shown.tests);
  if (tests.size === 1) {
    const [results = []] = tests.values();
    const bad = results.find(({ status }) => status !== 'passed');
    if (!bad) return { found: true, what: results[0]?.name ?? text };
    return bad.status === 'failed'
      ? { found: false, code: 'failed', why: `the test ${said} failed` }
      : { found: false, code: 'skipped', why: `the test ${said} was skipped` };
  }
  if (tests.size > 1) {
    return {
      found: false,
      code: 'several',
      why: `${said} matches ${tests.size} tests; use the full name or file > name`,
    };
  }
  if (check) {
    return check.result === 'fail'
      ? { found: false, code: 'failed', why: `the check ${said} failed` }
      : { found: false, code: 'no_result', why: `the check ${said} gave no result` };
  }
  const file = shown.changes.find(({ path }) => path === text.replace(/^\.\//, ''));
  if (file && !shown.testsRequired) return { found: true, what: file.path };
  if (file)
    return {
      found: false,
      code: 'file_only',
      why: `${said} is a file; this task needs a passing test or check`,
    };
  return { found: false, code: 'unknown', why: `${said} is not a test or check that ran` };
}

interface NamedResult {
  result: TestResult;
  name: string;
  /** `file > `, or empty if the file is unknown. */
  place: string;
}

/** Cached: a verdict looks up many names, and a project may have thousands of tests. */
const named = new WeakMap<readonly TestResult[], NamedResult[]>();

function namedResults(tests: readonly TestResult[]): NamedResult[] {
  const known = named.get(tests);
  if (known) return known;
  const results = tests.map((result) => ({
    result,
    name: plain(result.name),
    place: result.file === undefined ? '' : `${plain(result.file)} > `,
  }));
  named.set(tests, results);
  return results;
}

/** Results grouped by test: a parameterized test has several. */
function matchingTests(text: string, tests: readonly TestResult[]): Map<string, TestResult[]> {
  const exact = new Map<string, TestResult[]>();
  const byTail = new Map<string, TestResult[]>();
  for (const { result, name, place } of namedResults(tests)) {
    const isExact = name === text || (isPlaced(text, place) && text.slice(place.length) === name);
    if (!isExact && !hasTail(name, place, text)) continue;
    const to = isExact ? exact : byTail;
    const key = `${place}\0${result.name}`;
    to.set(key, [...(to.get(key) ?? []), result]);
  }
  return exact.size > 0 ? exact : byTail;
}

function hasTail(name: string, place: string, text: string): boolean {
  if (name.endsWith(` > ${text}`)) return true;
  return isPlaced(text, place) && name.endsWith(` > ${text.slice(place.length)}`);
}

function isPlaced(text: string, place: string): boolean {
  return place !== '' && text.startsWith(place);
}

/** Without surrounding quotes. */
function plain(text: string): string {
  const line = cleanText(text).normalize().replace(/\s+/g, ' ').trim();
  const quote = line[0] ?? '';
  const quoted = line.length > 2 && '`"\''.includes(quote) && line.endsWith(quote);
  return quoted ? line.slice(1, -1).trim() : line;
}
