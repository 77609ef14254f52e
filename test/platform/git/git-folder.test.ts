import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGitFolder } from '../../../src/platform/git/git-folder.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
beforeAll(() => {
  sandbox.repository('shop');
  sandbox.write('shop/src/deep/file', '');
});
afterAll(() => sandbox.cleanup());

const find = (folder: string) => findGitFolder(sandbox.path(folder));

describe('the folder of a repository', () => {
  it('is found from anywhere inside', () => {
    const expected = {
      root: sandbox.path('shop'),
      gitDir: sandbox.path('shop/.git'),
      commonDir: sandbox.path('shop/.git'),
      name: 'shop',
      shallow: false,
    };
    expect(find('shop')).toEqual(expected);
    expect(find('shop/src/deep')).toEqual(expected);
  });

  it('is not found outside, or if .git is empty or invalid', () => {
    sandbox.write('empty/.git/nothing', '');
    sandbox.write('text/.git', 'not a pointer\n');
    expect([find('outside'), find('empty'), find('text')]).toEqual([undefined, undefined, undefined]);
  });

  it('of a linked worktree shares the main one’s name and data', () => {
    sandbox.git('shop', 'worktree', 'add', '--quiet', '../elsewhere');
    expect(find('elsewhere')).toMatchObject({
      root: sandbox.path('elsewhere'),
      gitDir: sandbox.path('shop/.git/worktrees/elsewhere'),
      commonDir: sandbox.path('shop/.git'),
      name: 'shop',
    });
  });

  it('of a worktree that has moved with its repository follows relative pointers', () => {
    sandbox.repository('moving/main');
    sandbox.git('moving/main', 'worktree', 'add', '--quiet', '../linked');
    sandbox.write('moving/linked/.git', 'gitdir: ../main/.git/worktrees/linked\n');
    expect(find('moving/linked')).toMatchObject({
      commonDir: sandbox.path('moving/main/.git'),
      name: 'main',
    });
  });

  it('of a worktree of a bare repository is named after that', () => {
    sandbox.git('.', 'clone', '--quiet', '--bare', 'shop', 'central.git');
    sandbox.git('central.git', 'worktree', 'add', '--quiet', '../checkout');
    expect(find('checkout')).toMatchObject({ commonDir: sandbox.path('central.git'), name: 'central' });
  });

  it('with its data elsewhere is found too', () => {
    sandbox.git('.', 'init', '--quiet', '--separate-git-dir', sandbox.path('data-of.git'), 'split');
    expect(find('split')).toMatchObject({
      root: sandbox.path('split'),
      commonDir: sandbox.path('data-of.git'),
    });
  });

  it('reports whether it is a shallow clone', () => {
    sandbox.commit('shop', 'Go on');
    sandbox.git('.', 'clone', '--quiet', '--depth', '1', `file://${sandbox.path('shop')}`, 'shallow');
    expect(find('shallow')).toMatchObject({ shallow: true });
  });
});
