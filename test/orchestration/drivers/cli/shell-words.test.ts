import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWords } from '../../../../src/orchestration/drivers/cli/shell-words.ts';

describe('words of a command line', () => {
  it.each([
    [`/bin/bash -lc cat`, ['/bin/bash', '-lc', 'cat']],
    [`/bin/bash -lc 'ls /nonexist'`, ['/bin/bash', '-lc', 'ls /nonexist']],
    // Recorded from Codex.
    [
      `/bin/bash -lc "echo \\"it's "'$HOME" > shell.txt; cat shell.txt'`,
      ['/bin/bash', '-lc', `echo "it's $HOME" > shell.txt; cat shell.txt`],
    ],
    [`a '' b`, ['a', '', 'b']],
    ['a\\ b', ['a b']],
  ])('of %s', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });

  it.each(['"open', "'open", '"a\\"'])('are unknown with an open quote: %s', (line) => {
    expect(shellWords(line)).toBeUndefined();
  });

  it('are those that a shell sees', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '$', '`', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), (words) => {
        const line = words.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
        const script = `for one in ${line}; do printf '%s\\0' "$one"; done`;
        const seen = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
        expect(shellWords(line)).toEqual(seen);
      }),
      { numRuns: 30 },
    );
  });
});
