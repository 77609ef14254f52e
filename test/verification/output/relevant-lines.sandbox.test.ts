import { describe, expect, it } from 'vitest';
import {
  relevantLines,
  wholeLastLines,
  withoutNpmUsage,
} from '../../../src/verification/output/relevant-lines.ts';
import { RECORDED_OUTPUTS } from './recorded-outputs.ts';

describe('the relevant lines of an output', () => {
  it.each(RECORDED_OUTPUTS)('name what failed and why: $of', ({ output, needed, unwanted }) => {
    const lines = relevantLines(output);
    for (const line of needed) expect(lines.some((one) => one.startsWith(line))).toBe(true);
    for (const text of unwanted) expect(lines.join('\n')).not.toContain(text);
  });

  it('are the same with colours, and limited in number', () => {
    const red = '\u001b[31mAssertionError: expected 4 to be 3\u001b[39m\n';
    expect(relevantLines(red)).toEqual(['AssertionError: expected 4 to be 3']);
    const many = Array.from({ length: 40 }, (_, index) => `Error: ${index}`).join('\n');
    expect(relevantLines(many, 5)).toEqual([
      'Error: 0',
      'Error: 1',
      'Error: 2',
      'Error: 3',
      '… 36 more lines',
    ]);
  });

  it('come before the usage that npm prints, which is left out of the kept output', () => {
    const { output = '' } = RECORDED_OUTPUTS.find(({ of }) => of === 'a lock file that does not fit') ?? {};
    expect(withoutNpmUsage(output)).not.toContain('--install-links');
    expect(withoutNpmUsage(output)).toContain('Missing: mri@1.2.0 from lock file');
    const spaced = output.replaceAll('\n', '\nnpm error\n');
    expect(withoutNpmUsage(spaced)).not.toMatch(/^npm error$/m);
    expect(withoutNpmUsage(spaced)).toContain('Missing: mri@1.2.0 from lock file');
  });

  it('are none for an empty output', () => {
    expect(relevantLines('\n\n')).toEqual([]);
  });
});

describe('the end of an output', () => {
  it.each([
    ['shorter than the limit', 'one\ntwo\n', 20, 'one\ntwo\n'],
    ['cut within a line', 'first line\nsecond\n', 10, 'second\n'],
    ['cut between lines', 'one\ntwo\n', 4, 'two\n'],
    ['of a single long line', 'abcdef', 3, 'def'],
    ['of a single long line with its end', 'abcdef\n', 3, 'ef\n'],
  ])('%s', (_case, output, most, tail) => {
    expect(wholeLastLines(output, most)).toBe(tail);
  });
});

it('are those of a script, without its name, that pnpm runs beside others', () => {
  const output = `. test:coverage$ c8 pnpm unit
. test:lint$ eslint .
. test:coverage: All files |     100 |    98.44
. test:lint:
. test:lint: /project/index.js
. test:lint:   349:11  error  Expected "atrule" to come before "rule"
. test:lint: Failed
 ELIFECYCLE  Command failed with exit code 1.
`;
  expect(relevantLines(output).map((line) => line.trim())).toEqual([
    '349:11  error  Expected "atrule" to come before "rule"',
  ]);
});
