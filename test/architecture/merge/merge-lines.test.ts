import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from '../../../src/architecture/merge/merge-lines.ts';

const someLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('a merge by lines', () => {
  it('takes changes of one side, and equal changes of both', () => {
    expect(mergeLines('a\nb\nc\n', 'x\nb\nc\n', 'a\nb\ny\n')).toEqual({ text: 'x\nb\ny\n', conflicts: 0 });
    expect(mergeLines('a\n', 'b\n', 'b\n')).toEqual({ text: 'b\n', conflicts: 0 });
  });

  it('marks conflicting changes', () => {
    expect(mergeLines('a\nb\n', 'a\nx\n', 'a\ny\n')).toEqual({
      text: 'a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n',
      conflicts: 1,
    });
  });

  it('with an unchanged side equals the other side', () => {
    const text = someLines.map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(mergeLines(base, base, other)).toEqual({ text: other, conflicts: 0 });
        expect(mergeLines(base, other, base)).toEqual({ text: other, conflicts: 0 });
        expect(mergeLines(base, other, other)).toEqual({ text: other, conflicts: 0 });
      }),
    );
  });
});
