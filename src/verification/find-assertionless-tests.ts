import { readTestCases } from './test-files/read-test-cases.ts';

/** Calls that may assert by another name than the usual ones, and errors that a test throws itself. */
const MAY_ASSERT =
  /\.(?:expect|should|must)\b|\b(?:check|verify|ensure|must|validate|expects?|asserts?|throws?|raises?|rejects?|matches|snapshot)\w{0,40}\s?\(|\bthrow\b|\braise\b/i;
/** Code of the tests' own side, which may assert for them; in Python, modules are named without quotes. */
const HELPERS = [
  /\b(?:from|import|require)\s{0,10}\(?\s{0,10}['"](?:\.\/|\.{1,2}\/[\w./-]{0,100}(?:support|helper|util|common|harness|fixture|test|spec))/i,
  /^\s{0,40}(?:from|import)\s{1,10}(?:\.|tests?\b|conftest\b|\w{0,40}(?:support|helper|util|common|harness))/im,
];

/** Of changed test files those whose tests all say nothing that could fail, as far as their text shows. */
export function findAssertionlessTests(files: readonly { path: string; text: string }[]): string[] {
  return files.filter(({ path, text }) => isAssertionless(path, text)).map(({ path }) => path);
}

function isAssertionless(path: string, text: string): boolean {
  const { cases, uncertain } = readTestCases(path, text);
  if (uncertain || cases.length === 0) return false;
  if (cases.some(({ assertions }) => assertions > 0)) return false;
  return !MAY_ASSERT.test(withoutUsual(text)) && !HELPERS.some((pattern) => pattern.test(text));
}

/** The usual assertions were read one by one: those that are left hold whatever happens. Not so `request.expect(200)`. */
function withoutUsual(text: string): string {
  return text.replace(/(?<![.\w])(?:assert|expect)(?:\.\w{1,40}){0,3}\s?\(/g, '(');
}
