import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/architecture/update/unified-diff.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a unified diff', () => {
  it('can be applied by git to the old text, which gives the new one', () => {
    const folder = temporaryFolder();
    const texts = [
      ['a\nb\nc\n', 'a\nx\nc\n'],
      ['a\n', 'a\nb'],
      ['a\nb', 'a\n'],
      ['1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n', '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n12\n'],
      ['a\r\nb\r\n', 'a\r\nc\r\n'],
      ['a\n'.repeat(3000), `${'b\n'.repeat(3000)}c`],
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

  it('of equal texts is empty, and of a new file starts from /dev/null', () => {
    expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
    expect(unifiedDiff('f', undefined, 'a\n')).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n');
  });
});
