import { expect, it } from 'vitest';
import { compareBaseTests } from '../../../src/verification/test-side/compare-base-tests.ts';
import { testRun } from '../gates/facts-fixture.ts';

const FILE = 'test/total.test.js';

/** The outcome of a test that passes on the base and fails with this message on the candidate. */
function outcomeOf(message: string): string | undefined {
  const base = testRun({ [`${FILE}: totals`]: 'passed' });
  const failed = testRun({ [`${FILE}: totals`]: 'failed' }, { exit: 1 });
  const { changed } = compareBaseTests({
    base,
    withBaseTests: { ...failed, results: failed.results.map((test) => ({ ...test, message })) },
    selected: undefined,
    files: [{ path: FILE, text: "test('totals', () => { stub(net, 'fetch'); net.fetch(); });\n" }],
    removedNames: new Map(),
    withoutHelpers: () => false,
    removed: [],
    wrongTests: [],
    isRemovedOrMoved: (name) => name === 'fetch',
    renames: new Map(),
    isOwnCode: () => false,
  });
  return changed[0]?.outcome;
}

it.each([
  'TypeError: net.fetch is not a function',
  "AttributeError: module 'net' has no attribute 'fetch'",
  "AttributeError: <module 'net'> does not have the attribute 'fetch'",
  'TypeError: Cannot stub non-existent property fetch',
  'Property `fetch` does not exist in the provided object',
  'Cannot spy the fetch property because it is not a function; undefined given instead',
  'The property "fetch" is not defined on the object.',
  'Error: fetch does not exist',
])('a test cannot be compared if what it calls or replaces is gone: %s', (message) => {
  expect(outcomeOf(message)).toBe('not-comparable');
  expect(outcomeOf(message.replaceAll('fetch', 'load'))).toBe('fails');
});

it('a test fails in its base version if its assertion fails', () => {
  expect(outcomeOf('AssertionError: expected 4 to be 3')).toBe('fails');
});

it('tests whose names have measured times are the same tests', () => {
  const named = (...times: number[]) =>
    testRun(Object.fromEntries(times.map((time) => [`${FILE}: in ${time} ms`, 'passed' as const])));
  const compare = (...times: number[]) =>
    compareBaseTests({
      base: named(1.1234567890123, 2.1234567890123),
      withBaseTests: named(...times),
      selected: undefined,
      files: [],
      removedNames: new Map(),
      withoutHelpers: () => false,
      removed: [],
      wrongTests: [],
      isRemovedOrMoved: () => false,
      renames: new Map(),
      isOwnCode: () => false,
    }).changed.map(({ outcome }) => outcome);
  expect(compare(3.1234567890123, 14.1234567890123)).toEqual([]);
  expect(compare(3.1234567890123)).toEqual(['fails', 'fails']);
});
