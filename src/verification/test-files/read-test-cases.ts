import { isShellTest } from '../../domain/is-test-file.ts';
import { readGoTests } from './read-go-tests.ts';
import { readJavaTests } from './read-java-tests.ts';
import { readJsTests } from './read-js-tests.ts';
import { readPythonTests } from './read-python-tests.ts';
import { readRustTests } from './read-rust-tests.ts';
import type { TestCase, TestFileFacts } from './test-case.ts';

const MAX_LENGTH = 8 * 1024 * 1024;
const NOTHING: TestFileFacts = { cases: [], uncertain: false, only: 0 };

/** Reads the tests of a file by its extension. The text is untrusted: it takes linear time and never throws. */
export function readTestCases(path: string, text: string): TestFileFacts {
  const tooLong = text.length > MAX_LENGTH;
  const facts = read(path.toLowerCase(), tooLong ? text.slice(0, MAX_LENGTH) : text);
  return tooLong ? { ...facts, uncertain: true } : facts;
}

function read(path: string, text: string): TestFileFacts {
  if (/\.[cm]?[jt]sx?$/.test(path)) return readJsTests(path, text);
  if (path.endsWith('.py')) return readPythonTests(text);
  if (path.endsWith('.go')) return readGoTests(text);
  if (path.endsWith('.rs')) return readRustTests(text);
  if (/\.(?:java|kt)$/.test(path)) return readJavaTests(text);
  return NOTHING;
}

/** Calls that may assert under another name, and errors that a test throws itself. */
const MAY_ASSERT =
  /\.(?:expect|should|must)\b|\b(?:check|verify|ensure|must|demand|validate|expects?|asserts?|throws?|raises?|rejects?|matches|snapshot)\w{0,40}\s?(?:<[^<>()]{0,100}>)?\(|\bthrow\b|\braise\b/i;
/** An assertion module that is used where it is loaded, a callback that takes an error, and assertions out of a parameter. */
const OTHER_FORMS: readonly RegExp[] = [
  /\brequire\(\s?['"](?:node:)?assert(?:\/strict)?['"]\s?\)\s?[.(]/,
  /\b(?:done|cb|callback|next)\(\s?(?:e|err|error)\b/,
  /\(\s?\{[^{}()]{0,200}\b(?:ok|is|not|like|same|equal|deepEqual|true|false|truthy|falsy|match|pass|fail)\b[^{}()]{0,200}\}\s?\)\s?=>/,
];
/** The tests' own helpers, which may assert for them; Python imports have no quotes. */
const HELPERS = [
  /\b(?:from|import|require)\s{0,10}\(?\s{0,10}['"](?:\.\/|\.{1,2}\/[\w./-]{0,100}(?:support|helper|util|common|harness|fixture|test|spec))/i,
  /^\s{0,40}(?:from|import)\s{1,10}(?:\.|tests?\b|conftest\b|\w{0,40}(?:support|helper|util|common|harness))/im,
];
/** A module for tests in a package, with the package's name. */
const PACKAGE_HELPER =
  /^\s{0,40}(?:from|import)\s{1,10}(\w{1,40})\.(?:\w{1,40}\.){0,7}(?:tests?|testing|conftest)\b/gim;

/** Changed test files whose tests contain nothing that could fail, judging by their text. */
export function findAssertionlessTests(files: readonly { path: string; text: string }[]): string[] {
  return files.filter(({ path, text }) => isAssertionless(path, text)).map(({ path }) => path);
}

/** Changed files with assertions outside any named test: scripts of tests. */
export function findTestScripts(files: readonly { path: string; text: string }[]): string[] {
  return files
    .filter(({ path, text }) => {
      if (isShellTest(path)) return true;
      const { cases, uncertain } = readTestCases(path, text);
      return (
        !uncertain &&
        cases.length === 0 &&
        /\b(?:assert|expect)\b(?:\.\w{1,40}){0,3}\s?\(|^[ \t]*assert\s/m.test(text)
      );
    })
    .map(({ path }) => path);
}

function isAssertionless(path: string, text: string): boolean {
  const { cases, uncertain } = readTestCases(path, text);
  if (uncertain || cases.length === 0) return false;
  if (cases.some(({ assertions }) => assertions > 0)) return false;
  if (path.endsWith('.py') && (callsFixture(text, cases) || importsOwnHelper(path, text))) return false;
  const mayAssert = MAY_ASSERT.test(withoutUsual(text));
  return !mayAssert && ![...OTHER_FORMS, ...HELPERS].some((pattern) => pattern.test(text));
}

/** From the package around the test: those of others, such as django.test, do not assert for it. */
function importsOwnHelper(path: string, text: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return [...text.matchAll(PACKAGE_HELPER)].some(([, name = '']) => folders.includes(name));
}

/** Whether a test calls one of its parameters: a fixture of pytest may be a function that asserts. */
function callsFixture(text: string, cases: readonly TestCase[]): boolean {
  const rows = text.split('\n');
  return cases.some(({ lines: [first, last] }) => {
    const own = rows
      .slice(first - 1, last)
      .join('\n')
      .slice(0, 20_000);
    const [, given = '', body = ''] = /\bdef test\w{0,200}\(([^()]{1,500})\)([\s\S]*)/.exec(own) ?? [];
    const words = new Set(
      given.split(/[^\w]+/).filter((word) => /^[a-z_]\w+$/i.test(word) && word !== 'self'),
    );
    return (body.match(/(?<![.\w])\w+(?=\()/g) ?? []).some((called) => words.has(called));
  });
}

/** The usual assertions were counted one by one, and the rest always hold. `request.expect(200)` is different. */
function withoutUsual(text: string): string {
  return text.replace(/(?<![.\w])(?:assert|expect)(?:\.\w{1,40}){0,3}\s?\(/g, '(');
}
