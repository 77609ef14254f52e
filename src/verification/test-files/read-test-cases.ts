import { readGoTests } from './read-go-tests.ts';
import { readJavaTests } from './read-java-tests.ts';
import { readJsTests } from './read-js-tests.ts';
import { readPythonTests } from './read-python-tests.ts';
import { readRustTests } from './read-rust-tests.ts';
import type { TestFileFacts } from './test-case.ts';

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
