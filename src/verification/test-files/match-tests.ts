import { sketchLikeness, sketchShare } from './read-body.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';

export interface TestFile {
  path: string;
  text: string;
}

/** A test with its file. */
export interface PlacedTest {
  file: string;
  test: TestCase;
}

export interface TestMatch {
  before: PlacedTest;
  /** Undefined if the candidate has no counterpart. */
  after: PlacedTest | undefined;
  /** How the counterpart was found. */
  by: 'place' | 'name' | 'body' | 'likeness' | 'nothing';
}

/** Bodies or names below this similarity are different tests. */
const LIKENESS = 0.5;
const NAME_LIKENESS = 0.6;
/** The part of a body that an extended one has to contain. */
const SHARE = 0.6;
/** Total number of compared bodies; beyond it, the rest counts as removed. */
const MAX_COMPARED = 100_000;

/**
 * Finds the counterpart of every base test: at its place, else by name, by body, or by a similar body. Each counterpart
 * is used once.
 */
export function matchTests(
  base: ReadonlyMap<string, TestFileFacts>,
  candidate: ReadonlyMap<string, TestFileFacts>,
  renames: ReadonlyMap<string, string>,
): TestMatch[] {
  const matches: TestMatch[] = [];
  const free = new Map<string, TestCase[]>();
  for (const [file, { cases }] of candidate) free.set(file, [...cases]);
  let open: PlacedTest[] = [];
  for (const [file, { cases }] of base) {
    const now = renames.get(file) ?? file;
    const byName = groupBy(free.get(now) ?? [], (test) => test.name);
    const taken = new Set<TestCase>();
    for (const test of cases) {
      const after = byName.get(test.name)?.shift();
      if (after === undefined) open.push({ file, test });
      else {
        taken.add(after);
        matches.push({ before: { file, test }, after: { file: now, test: after }, by: 'place' });
      }
    }
    free.set(
      now,
      (free.get(now) ?? []).filter((test) => !taken.has(test)),
    );
  }
  const left = new Set<PlacedTest>();
  for (const [file, tests] of free) for (const test of tests) left.add({ file, test });
  const home = (file: string) => renames.get(file) ?? file;
  for (const [by, key] of [
    ['name', ({ file, test }, isBase) => `${isBase ? home(file) : file}\0${lastName(test.name)}`],
    ['name', ({ test }) => test.name],
    ['name', ({ test }) => lastName(test.name)],
    ['body', ({ test }) => (test.assertions > 0 ? test.bodyDigest : undefined)],
  ] as [TestMatch['by'], (one: PlacedTest, isBase: boolean) => string | undefined][])
    open = matchBy(open, left, matches, by, key);
  const leftIn = groupBy([...left], (one) => one.file);
  let room = MAX_COMPARED;
  for (const isAlike of [isSimilar, isExtended])
    open = open.filter((before) => {
      const all = leftIn.get(home(before.file)) ?? [];
      room -= all.length;
      const choice = room < 0 ? [] : all.filter((one) => left.has(one) && one.test.assertions > 0);
      const after = mostAlike(before, choice, isAlike);
      if (after === undefined) return true;
      left.delete(after);
      matches.push({ before, after, by: 'likeness' });
      return false;
    });
  return [...matches, ...open.map((before) => ({ before, after: undefined, by: 'nothing' as const }))];
}

function matchBy(
  open: PlacedTest[],
  left: Set<PlacedTest>,
  matches: TestMatch[],
  by: TestMatch['by'],
  key: (one: PlacedTest, isBase: boolean) => string | undefined,
): PlacedTest[] {
  const byKey = groupBy([...left], (one) => key(one, false));
  return open.filter((before) => {
    const own = key(before, true);
    const after = own === undefined ? undefined : byKey.get(own)?.shift();
    if (after === undefined) return true;
    left.delete(after);
    matches.push({ before, after, by });
    return false;
  });
}

function mostAlike(
  before: PlacedTest,
  choice: readonly PlacedTest[],
  isAlike: (before: TestCase, after: TestCase) => boolean,
): PlacedTest | undefined {
  let best: PlacedTest | undefined;
  let most = 0;
  for (const one of choice) {
    const score = bodyLikeness(before.test, one.test) + nameLikeness(before.test.name, one.test.name);
    if (score <= most || !isAlike(before.test, one.test)) continue;
    most = score;
    best = one;
  }
  return best;
}

function isSimilar(before: TestCase, after: TestCase): boolean {
  return bodyLikeness(before, after) >= LIKENESS || nameLikeness(before.name, after.name) >= NAME_LIKENESS;
}

/** A test that was renamed and got further assertions still contains most of the old one. */
function isExtended(before: TestCase, after: TestCase): boolean {
  return after.assertions > before.assertions && sketchShare(before.sketch, after.sketch) >= SHARE;
}

function bodyLikeness(before: TestCase, after: TestCase): number {
  return sketchLikeness(before.sketch, after.sketch);
}

/** The share of common words in two names, from 0 to 1. A single word is not enough. */
function nameLikeness(a: string, b: string): number {
  const inA = nameWords(a);
  const inB = nameWords(b);
  if (inA.size < 3 || inB.size < 3) return 0;
  const same = [...inA].filter((word) => inB.has(word)).length;
  return same / (inA.size + inB.size - same);
}

function nameWords(name: string): Set<string> {
  return new Set(
    lastName(name)
      .slice(0, 300)
      .toLowerCase()
      .split(/[\s_]+/),
  );
}

export function lastName(name: string): string {
  const at = name.lastIndexOf(' > ');
  return at === -1 ? name : name.slice(at + 3);
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    if (own === undefined) continue;
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * The test of a file that a result's name means. The name may be longer than in the file: with table rows, subtests, or
 * suites named elsewhere.
 */
export function findCase(name: string, cases: readonly TestCase[]): TestCase | undefined {
  const plain = withoutRow(name);
  return (
    cases.find((one) => one.name === name) ??
    cases.find((one) => one.name === plain) ??
    cases.find((one) => fitsTemplate(plain, one.name)) ??
    longest(cases.filter((one) => plain.startsWith(`${one.name} > `) || plain.endsWith(` > ${one.name}`))) ??
    longest(cases.filter((one) => fitsTemplate(lastPart(plain), lastPart(one.name))))
  );
}

/** Whether a result's name means a test of a file: itself, a table row or a subtest of it. */
export function isResultOf(name: string, title: string): boolean {
  return withoutRow(name) === title || name.startsWith(`${title} > `) || fitsTemplate(name, title);
}

/** pytest appends the table row to the name. */
function withoutRow(name: string): string {
  return name.endsWith(']') ? name.slice(0, name.lastIndexOf('[')) || name : name;
}

function longest(cases: readonly TestCase[]): TestCase | undefined {
  return cases.reduce<TestCase | undefined>(
    (best, one) => (best === undefined || one.name.length > best.name.length ? one : best),
    undefined,
  );
}

/** Whether a name can result from a title with `%s`, `$value` or `${value}` in it. */
function fitsTemplate(name: string, title: string): boolean {
  const parts = title.split(/%(?:\.\d+)?[sdifjopc#$%]|\$\{[^}]*\}|\$[\w.]+|\$#/);
  if (parts.length === 1) return name === title;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return (parts.at(-1) ?? '') === '' || name.endsWith(parts.at(-1) ?? '');
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /, '');
}
