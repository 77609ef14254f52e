import { posix } from 'node:path';
import { escapePattern } from '../../domain/escape-pattern.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TreeComparison } from '../compare-trees.ts';
import { isSource } from '../coverage/source-language.ts';
import { type CodePart, codePartsOf, wordsOfPart } from '../test-files/declarations/code-parts.ts';
import type { TestFile } from '../test-files/match-tests.ts';
import { isTestSide, type TestSide } from './find-test-side.ts';
import { readFiles } from './read-files.ts';

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs)$/;
const ASSERTS = /^(?:assert|expect)(?![a-z])|^(?:raises|throws|rejects)(?![a-z])/;
const IS_EQUALITY = /\.(?:__eq__|__ne__|Equals?)$|^PartialEq for /;
/** Modules that a package publishes for the tests of others. */
const FOR_TESTS =
  /(?:^|[/._-])(?:testing|test[-_]?(?:kit|utils?|helpers?|support)|assert|asserts|assertions|matchers)(?=[/._-])/i;
const GO_FOR_TESTS = /[a-z]test\/[^/]{1,100}\.go$/;
const GO_HELPER = /\.Helper\(\)|\btesting\.(?:TB?|B|F)\b/;
const IS_TYPE =
  /^\s*(?:(?:export|default|abstract|declare|pub(?:\([^)]{0,40}\))?)\s{1,9}){0,4}(?:class|interface|type|enum|struct|trait|union)\b/m;
const MAY_FAIL = /\b(?:throw|raise|assert\w*|panic|expect|fail)\b|\.(?:Fatal|Error|Fail)\w*\(/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#|>>>)/;
/** More changed functions than this are a reorganization. */
const MOST_NAMES = 100;

interface Versions {
  path: string;
  before: string;
  after: string;
}

/**
 * Functions of the product that decide whether a test fails: assertions for tests, which no other product code calls, and
 * methods that compare values. Those that the change alters, each in its file of the candidate in the version of the base.
 */
export async function findChangedJudges(
  repository: Repository,
  { changes, entries, baseEntries }: TreeComparison,
  baseTree: string,
  side: TestSide,
  beside: readonly TestFile[],
): Promise<TestFile[]> {
  const own = new Set([...side.modified, ...side.doubtful.map(({ path }) => path)]);
  const paths = new Set(
    changes
      .filter(({ path, change }) => change === 'modified' && CODE.test(path) && !isTestSide(path))
      .map(({ path }) => path)
      .filter((path) => !own.has(path)),
  );
  if (paths.size === 0) return [];
  const texts = new Map((await readFiles(repository, entries, paths)).map(({ path, text }) => [path, text]));
  const files = (await readFiles(repository, baseEntries, paths)).flatMap(({ path, text }): Versions[] => {
    const after = texts.get(path);
    return after === undefined ? [] : [{ path, before: text, after }];
  });
  const isGone = attributesGone(files);
  const uses = await usesOfNames(repository, baseTree, files);
  const current = new Map(beside.map(({ path, text }) => [path, text]));
  return files.flatMap((file) => {
    const judges = changedJudges(file, uses).filter(({ text }) => !isGone(text));
    const text = withParts({ path: file.path, text: current.get(file.path) ?? file.after }, judges);
    return text === undefined ? [] : [{ path: file.path, text }];
  });
}

/** Calls of a function, by its name: in tests, and in product code outside of its own text. */
type Uses = ReadonlyMap<string, { path: string; line: number }[]>;

function changedJudges({ path, before, after }: Versions, uses: Uses): CodePart[] {
  const parts = codePartsOf(path, before);
  const now = codePartsOf(path, after);
  const judges = new Set(parts.filter((part) => isJudge(path, part)).map(({ name }) => name));
  const product = (name: string) => (uses.get(name) ?? []).filter((use) => !isTestSide(use.path));
  const isInside = (line: number, names: ReadonlySet<string>) =>
    parts.some(({ name, lines: [first, last] }) => names.has(name) && line >= first && line <= last);
  const isOfJudges = (name: string) =>
    product(name).every((use) => use.path === path && isInside(use.line, judges));
  for (let size = -1; size !== judges.size; ) {
    size = judges.size;
    for (const name of judges) if (!IS_EQUALITY.test(name) && !isOfJudges(name)) judges.delete(name);
  }
  // Their own functions belong to them.
  for (let size = -1; size !== judges.size; ) {
    size = judges.size;
    for (const { name } of parts)
      if (!judges.has(name) && product(name).length > 0 && isOfJudges(name)) judges.add(name);
  }
  const words = (all: readonly CodePart[], name: string) =>
    all.filter((one) => one.name === name).map((one) => wordsOfPart(path, one));
  const isChanged = (name: string) => {
    const [old, fresh] = [words(parts, name), words(now, name)];
    return fresh.length > 0 && JSON.stringify(old) !== JSON.stringify(fresh);
  };
  const changed = new Set([...judges].filter(isChanged));
  return parts.filter(({ name }) => changed.has(name));
}

function isJudge(path: string, { name, text }: CodePart): boolean {
  if (IS_EQUALITY.test(name)) return true;
  // A type for tests, such as a fake, changes with what it imitates.
  if (IS_TYPE.test(text)) return false;
  if (ASSERTS.test(name)) return true;
  if (path.endsWith('.go') && GO_HELPER.test(text)) return true;
  return (FOR_TESTS.test(path) || GO_FOR_TESTS.test(`/${path}`)) && MAY_FAIL.test(text);
}

/** The functions of a file that may be judges or belong to one. */
function namesToFollow({ path, before, after }: Versions): string[] {
  const parts = codePartsOf(path, before);
  const judges = parts.filter((part) => isJudge(path, part));
  if (judges.length === 0) return [];
  const known = new Set(codePartsOf(path, after).map((part) => `${part.name}\0${wordsOfPart(path, part)}`));
  const changed = parts.filter((part) => !known.has(`${part.name}\0${wordsOfPart(path, part)}`));
  return [...judges, ...changed].map(({ name }) => name).filter((name) => /^\w+$/.test(name));
}

/** Not its declaration, nor a method of something else. */
function calls(line: string, name: string, modules: ReadonlySet<string>): boolean {
  const call = new RegExp(
    `(\\b(?:def|function|func|fn|func\\s{0,9}\\([^()]{0,100}\\))\\s{1,9}|(\\w{0,100})\\.)?(?<![\\w$])${escapePattern(name)}\\s{0,9}!?\\s{0,9}\\(`,
    'g',
  );
  return [...line.matchAll(call)].some(
    ([, before, owner]) => before === undefined || (owner !== undefined && modules.has(owner)),
  );
}

/** The file with some of its functions in another version, at the places of the present ones. */
function withParts(file: TestFile, parts: readonly CodePart[]): string | undefined {
  if (parts.length === 0) return undefined;
  const names = new Set(parts.map(({ name }) => name));
  const present = codePartsOf(file.path, file.text).filter(({ name }) => names.has(name));
  const rows: (string | undefined)[] = file.text.split('\n');
  const seen = new Set<string>();
  for (const { name, lines } of present) {
    const [first, last] = lines;
    for (let line = first; line <= last; line += 1) rows[line - 1] = undefined;
    if (seen.has(name)) continue;
    seen.add(name);
    rows[first - 1] = parts
      .filter((one) => one.name === name)
      .map(({ text }) => text)
      .join('\n');
  }
  const text = rows.filter((row) => row !== undefined).join('\n');
  return text === file.text ? undefined : text;
}

/** Whether code needs an attribute that other code of the change had on the base, and nothing in it has any more. */
function attributesGone(files: readonly Versions[]): (text: string) => boolean {
  const wordsIn = (text: string) => text.match(/\w+/g) ?? [];
  const has = new Set(files.flatMap(({ after }) => wordsIn(after)));
  return (text) => {
    const used = [...text.matchAll(/\.\s{0,9}([A-Za-z_]\w{0,100})/g)].flatMap(([, name = '']) => name);
    const missing = used.filter((name) => !has.has(name));
    if (missing.length === 0) return false;
    const had = new Set(files.flatMap(({ before }) => wordsIn(before.split(text).join(' '))));
    return missing.some((name) => had.has(name));
  };
}

/** Where a tree calls the functions of changed files. */
async function usesOfNames(repository: Repository, tree: string, files: readonly Versions[]): Promise<Uses> {
  const found = new Map<string, { path: string; line: number }[]>();
  const modules = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of namesToFollow(file))
      modules.set(name, new Set([...(modules.get(name) ?? []), ...moduleNames(file.path)]));
  if (modules.size === 0 || modules.size > MOST_NAMES) return found;
  const patterns = [...modules.keys()].flatMap((name) => ['-e', name]);
  const command = ['grep', '-I', '-z', '-n', '-w', '-F', '--full-name', ...patterns, tree];
  const answer = await repository.attempt(command);
  if (answer.exitCode !== 0) return found;
  for (const record of answer.stdout.split('\n')) {
    const [place = '', number = '', text = ''] = record.split('\0');
    const path = place.slice(place.indexOf(':') + 1);
    if (!isSource(path) || COMMENT.test(text)) continue;
    for (const [name, owners] of modules)
      if (calls(text, name, owners))
        found.set(name, [...(found.get(name) ?? []), { path, line: Number(number) }]);
  }
  return found;
}

/** How other code may name a file's module. */
function moduleNames(path: string): string[] {
  return [posix.basename(path).replace(CODE, ''), posix.basename(posix.dirname(path)), 'self', 'this'];
}
