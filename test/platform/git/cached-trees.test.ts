import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cachedTrees } from '../../../src/platform/git/cached-trees.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ALGORITHMS = [
  ['sha1', 20],
  ['sha256', 32],
] as const;

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
}

function repository(algorithm: string): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q', `--object-format=${algorithm}`);
  for (const path of [
    'a.txt',
    'one/b.txt',
    'one/two/c.txt',
    `one/two/${'long'.repeat(30)}.txt`,
    'zoo/d.txt',
  ]) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  git(folder, 'add', '-A');
  return folder;
}

function treesOf(folder: string, idBytes: 20 | 32): Record<string, string> {
  return Object.fromEntries(cachedTrees(readFileSync(join(folder, '.git', 'index')), idBytes));
}

describe.each(ALGORITHMS)('the trees that an index caches (%s)', (algorithm, idBytes) => {
  it.each([2, 4])('are those that git commits (index version %i)', (version) => {
    const folder = repository(algorithm);
    git(folder, 'update-index', '--index-version', String(version));
    expect(treesOf(folder, idBytes)).toEqual({});
    const root = git(folder, 'write-tree');
    const idOf = (path: string) => git(folder, 'rev-parse', `${root}:${path}`);
    expect(treesOf(folder, idBytes)).toEqual({
      '': root,
      one: idOf('one'),
      'one/two': idOf('one/two'),
      zoo: idOf('zoo'),
    });
    git(folder, 'update-index', '--force-remove', 'one/b.txt');
    expect(Object.keys(treesOf(folder, idBytes))).toEqual(['one/two', 'zoo']);
  });

  it('are none in a broken index', () => {
    const folder = repository(algorithm);
    git(folder, 'write-tree');
    const index = readFileSync(join(folder, '.git', 'index'));
    for (let length = 0; length < index.length; length += 7)
      expect(() => cachedTrees(index.subarray(0, length), idBytes)).not.toThrow();
    expect([...cachedTrees(index.subarray(0, 200), idBytes)]).toEqual([]);
  });
});
