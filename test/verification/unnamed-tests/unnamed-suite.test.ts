import { expect, it } from 'vitest';
import { withFailure } from '../../../src/verification/unnamed-tests/unnamed-suite.ts';

it.each([
  ['test.js', 'assert.equal(1, 1);\n', /^assert[\s\S]*throw/],
  ['test.mjs', 'check();\nprocess.exit(failed);\n', /^;throw[\s\S]*process\.exit/],
  ['run.sh', 'set -e\ntrue\n', /true\n+exit 1\n$/],
  ['run.sh', '#!/bin/sh\ncheck || exit 3\n', /^#!\/bin\/sh\nexit 1\n/],
  ['test_a.py', 'assert 1 == 1\n', /raise AssertionError[\s\S]*\n$/],
  ['test.c', 'int main(void) { return 0; }\n', /^#error/],
])('a failure is planted in %s where it is reached', (path, text, expected) => {
  expect(withFailure(path, text)).toMatch(expected);
});

it('nothing is planted in a file of an unknown language', () => {
  expect(withFailure('data.json', '{}')).toBeUndefined();
});
