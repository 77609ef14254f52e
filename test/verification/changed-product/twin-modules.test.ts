import { describe, expect, it } from 'vitest';
import { twinModules } from '../../../src/verification/changed-product/twin-modules.ts';

const added = (path: string) => ({ path, change: 'added' as const });
const found = (changes: Parameters<typeof twinModules>[0], files: string[]) =>
  twinModules(changes, files).map(({ path, part }) => [path, part.split(' ').at(-1)]);

describe('modules with the name of another', () => {
  it.each([
    ['src/price.js', 'src/price.ts'],
    ['src/price.mjs', 'src/price.tsx'],
    ['src/price.ts', 'src/price.jsx'],
    ['price.cjs', 'price.mts'],
  ])('are found if the change adds %s beside %s', (path, other) => {
    expect(found([added(path)], [path, other])).toEqual([[path, other]]);
  });

  it('are found if the change adds both', () => {
    const files = ['src/price.js', 'src/price.ts'];
    expect(found(files.map(added), files)).toEqual([['src/price.js', 'src/price.ts']]);
  });

  it.each([
    ['declarations', 'src/price.d.ts', 'src/price.js'],
    ['another folder', 'lib/price.js', 'src/price.ts'],
    ['another module system', 'src/price.cjs', 'src/price.mjs'],
    ['tests of the types', 'test/index.ts', 'test/index.js'],
    ['examples', 'examples/run.ts', 'examples/run.js'],
  ])('are not %s', (_name, path, other) => {
    expect(found([added(path)], [path, other])).toEqual([]);
  });

  it('are not found if the change moves one to the other language', () => {
    expect(found([added('src/a.ts'), { path: 'src/a.js', change: 'deleted' }], ['src/a.ts'])).toEqual([]);
  });

  it('are not found if only one changes', () => {
    expect(found([{ path: 'src/a.ts', change: 'modified' }], ['src/a.ts', 'src/a.js'])).toEqual([]);
  });

  it('are the habit of a project that has such pairs', () => {
    expect(
      found([added('src/b.js'), added('src/b.ts')], ['src/a.js', 'src/a.ts', 'src/b.js', 'src/b.ts']),
    ).toEqual([]);
  });

  it('are found in another package of such a project', () => {
    const files = [
      'a/package.json',
      'b/package.json',
      'a/src/a.js',
      'a/src/a.ts',
      'b/src/b.js',
      'b/src/b.ts',
    ];
    expect(found([added('b/src/b.js')], files)).toEqual([['b/src/b.js', 'b/src/b.ts']]);
    expect(found([added('a/src/a.js')], [...files, 'a/src/c.js', 'a/src/c.ts'])).toEqual([]);
  });
});
