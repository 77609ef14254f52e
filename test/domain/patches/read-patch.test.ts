import { describe, expect, it } from 'vitest';
import { applyChunks, pathsInPatch, readPatch } from '../../../src/domain/patches/read-patch.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('a patch', () => {
  it('names the files that it adds, updates, moves and deletes', () => {
    const text = patch(
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Update File: a.txt',
      '@@ function f()',
      ' keep',
      '-old',
      '+new',
      '*** End of File',
      '*** Update File: b.txt',
      '*** Move to: sub/c.txt',
      '@@',
      '-x',
      '+y',
      '*** Delete File: gone.txt',
    );
    expect(readPatch(text)).toEqual({
      ok: true,
      files: [
        { type: 'add', path: 'new.txt', content: 'one\n\n' },
        {
          type: 'update',
          path: 'a.txt',
          movedTo: undefined,
          chunks: [{ old: ['keep', 'old'], new: ['keep', 'new'] }],
        },
        { type: 'update', path: 'b.txt', movedTo: 'sub/c.txt', chunks: [{ old: ['x'], new: ['y'] }] },
        { type: 'delete', path: 'gone.txt' },
      ],
    });
  });

  it.each([
    ['without an end', '*** Begin Patch\n*** Delete File: a'],
    ['in a here-document', `<<'EOF'\n${patch('*** Delete File: a')}EOF`],
    ['with an indented header', patch('*** Add File: a', '+x', ' *** Delete File: b')],
    [
      'with a header in the context of a change',
      patch('*** Update File: a', '@@', ' *** Delete File: b', '+x'),
    ],
    ['with a path between spaces', patch('*** Delete File:  a ')],
    ['with a line that has no marker', patch('*** Update File: a', '@@', 'x')],
    ['with an unknown header', patch('*** Rename File: a')],
    ['with carriage returns', patch('*** Delete File: a\r')],
    ['without files', patch()],
    ['without changes', patch('*** Update File: a')],
  ])('%s is not read', (_, text) => {
    expect(readPatch(text).ok).toBe(false);
  });

  it('shows the paths in it even if it is not valid', () => {
    expect(pathsInPatch('junk\n  *** Delete File: a \n*** Move to: b\n+*** Add File: c')).toEqual([
      { path: 'a', deleted: true },
      { path: 'b', deleted: false },
    ]);
  });
});

describe('the result of a patch', () => {
  const apply = (text: string, ...chunks: [string[], string[]][]) =>
    applyChunks(
      text,
      chunks.map(([old, fresh]) => ({ old, new: fresh })),
    );

  it('is computed if each chunk fits in one place', () => {
    expect(apply('a\nb\nc\nd\n', [['b'], ['B', 'B2']], [['d'], []])).toBe('a\nB\nB2\nc\n');
  });

  it.each([
    ['fits in two places', 'a\nb\na\n', [['a'], ['x']]],
    ['also fits in another place apart from punctuation', 'a\n"a",\n', [['a'], ['x']]],
    ['fits only apart from spaces', '  a\n', [['a'], ['x']]],
    ['does not fit', 'a\n', [['b'], ['x']]],
    ['names no place', 'a\n', [[], ['x']]],
  ] as [string, string, [string[], string[]]][])('is unknown if a chunk %s', (_, text, chunk) => {
    expect(apply(text, chunk)).toBeUndefined();
  });

  it('is unknown if the chunks are not in the order of the file', () => {
    expect(apply('a\nb\n', [['b'], ['x']], [['a'], ['y']])).toBeUndefined();
  });
});
