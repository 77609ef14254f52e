import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchLines } from '../../../src/architecture/diff/match-lines.ts';
import { mergeLines } from '../../../src/architecture/diff/merge-lines.ts';
import { unifiedDiff } from '../../../src/architecture/diff/unified-diff.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runs } from '../../support/thorough.ts';

const someLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

it('matches are common lines in order, and as many as there can be', () => {
  fc.assert(
    fc.property(someLines, someLines, (left, right) => {
      let [x, y, common] = [0, 0, 0];
      for (const match of matchLines(left, right)) {
        expect(match.left).toBeGreaterThanOrEqual(x);
        expect(match.right).toBeGreaterThanOrEqual(y);
        expect(left.slice(match.left, match.left + match.length)).toEqual(
          right.slice(match.right, match.right + match.length),
        );
        x = match.left + match.length;
        y = match.right + match.length;
        common += match.length;
      }
      expect(common).toBe(longestCommon(left, right));
    }),
    { numRuns: runs(1000) },
  );
});

function longestCommon(left: readonly string[], right: readonly string[]): number {
  const row = new Array<number>(right.length + 1).fill(0);
  for (const line of left) {
    let diagonal = 0;
    for (let at = 1; at <= right.length; at++) {
      const above = row[at] ?? 0;
      row[at] = line === right[at - 1] ? diagonal + 1 : Math.max(above, row[at - 1] ?? 0);
      diagonal = above;
    }
  }
  return row[right.length] ?? 0;
}

describe('a diff', () => {
  it('can be applied by git to the old text and gives the new one', () => {
    const folder = temporaryFolder();
    const texts = [
      ['a\nb\nc\n', 'a\nx\nc\n'],
      ['a\n', 'a\nb'],
      ['a\nb', 'a\n'],
      ['1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n', '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n12\n'],
      ['a\r\nb\r\n', 'a\r\nc\r\n'],
    ] as const;
    for (const [before, after] of texts) {
      writeFileSync(join(folder, 'f'), before);
      execFileSync('git', ['apply', '--unidiff-zero', '-'], {
        cwd: folder,
        input: unifiedDiff('f', before, after),
      });
      expect(execFileSync('cat', ['f'], { cwd: folder, encoding: 'utf8' })).toBe(after);
    }
  });

  it('of the same text is empty, and of a new file comes from nothing', () => {
    expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
    expect(unifiedDiff('f', undefined, 'a\n')).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n');
  });
});

describe('a merge by lines', () => {
  it('takes what one side changed, and what both changed alike', () => {
    expect(mergeLines('a\nb\nc\n', 'x\nb\nc\n', 'a\nb\ny\n')).toEqual({ text: 'x\nb\ny\n', conflicts: 0 });
    expect(mergeLines('a\n', 'b\n', 'b\n')).toEqual({ text: 'b\n', conflicts: 0 });
  });

  it('marks what both changed', () => {
    expect(mergeLines('a\nb\n', 'a\nx\n', 'a\ny\n')).toEqual({
      text: 'a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n',
      conflicts: 1,
    });
  });

  it('with a side that changed nothing is the other side', () => {
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
