import { describe, expect, it } from 'vitest';
import { findWrongTypes, withoutTypeCheck } from '../../../src/verification/test-side/unchecked-types.ts';

const TEXT = `import { label, total } from '../src/total';

const make = (name: string) =>
  label(name);

test('totals', () => expect(total([1, 2])).toBe(3));
test('labels', () => expect(label('a')).toBe('a'));
`;

describe('the places that a TypeScript compiler rejects', () => {
  it.each([
    ['ts-jest', 'test/total.test.ts:7:29 - error TS2554: Expected 2 arguments, but got 1.'],
    [
      'ts-jest in colours',
      '\u001b[96mtest/total.test.ts\u001b[0m:\u001b[93m7\u001b[0m:\u001b[93m29\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2554: \u001b[0mExpected',
    ],
    ['tsc', './test/total.test.ts(7,29): error TS2554: Expected 2 arguments, but got 1.'],
  ])('are read from the output of %s', (_tool, output) => {
    expect(findWrongTypes(output)).toEqual([{ file: 'test/total.test.ts', line: 7 }]);
  });

  it('are not checked, and the test with one of them is known', () => {
    const wrong = [{ file: '/work/test/total.test.ts', line: 7 }];
    const { text, tests, declarations } = withoutTypeCheck('test/total.test.ts', TEXT, wrong);
    expect(text).toBe(`// @ts-nocheck\n${TEXT}`);
    expect({ tests, declarations }).toEqual({ tests: ['labels'], declarations: [] });
  });

  it('are known by the declaration around them, and by all tests if there is none', () => {
    const at = (line: number) =>
      withoutTypeCheck('test/total.test.ts', `${TEXT}label();\n`, [{ file: 'test/total.test.ts', line }]);
    expect(at(4)).toMatchObject({ tests: [], declarations: ['make'] });
    expect(at(8)).toMatchObject({ tests: ['totals', 'labels'], declarations: [] });
  });

  it('stay as they are in other files and in tests of types', () => {
    for (const path of ['test/other.test.ts', 'test/total.test-d.ts'])
      expect(withoutTypeCheck(path, TEXT, [{ file: 'test/total.test.ts', line: 7 }]).text).toBe(TEXT);
    const wrong = [{ file: 'test/total.test-d.ts', line: 7 }];
    expect(withoutTypeCheck('test/total.test-d.ts', TEXT, wrong).text).toBe(TEXT);
  });
});
