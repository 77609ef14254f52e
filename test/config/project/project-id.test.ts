import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { deriveProjectId, projectSlug } from '../../../src/config/project/project-id.ts';
import { isProjectId } from '../../../src/domain/entities/group.ts';
import { findGitFolder } from '../../../src/platform/git/git-folder.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.cleanup());

function derive(folder: string) {
  const found = findGitFolder(sandbox.path(folder));
  if (!found) throw new Error('this is not a repository');
  return deriveProjectId(found);
}

describe('a project’s id', () => {
  it.each([
    ['Shop', 'shop'],
    ['my shop.ü', 'my-shop-u'],
    ['--odd__name--', 'odd-name'],
    ['日本', 'project'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('is made from the folder name %s', (name, slug) => {
    expect(projectSlug(name)).toBe(slug);
    expect(isProjectId(`${slug}-64fb`)).toBe(true);
  });

  it('stays the same after more commits, and after merging another history', async () => {
    const id = sandbox.repository('grown');
    const tree = sandbox.git('grown', 'rev-parse', 'HEAD^{tree}');
    for (const message of ['one', 'two', 'three', 'four', 'five', 'six']) {
      const root = sandbox.git('grown', 'commit-tree', tree, '-m', message);
      sandbox.git('grown', 'merge', '--quiet', '--allow-unrelated-histories', '--no-edit', root);
    }
    expect(await derive('grown')).toEqual({ known: true, id });
  });

  it('is not guessed where the root commit is not known', async () => {
    sandbox.emptyRepository('empty');
    expect(await derive('empty')).toMatchObject({
      known: false,
      hint: expect.stringContaining('guardkit init'),
    });
    sandbox.repository('full');
    sandbox.commit('full', 'Go on');
    sandbox.git('.', 'clone', '--quiet', '--depth', '1', `file://${sandbox.path('full')}`, 'shallow');
    expect(await derive('shallow')).toMatchObject({
      known: false,
      hint: expect.stringContaining('git fetch --unshallow'),
    });
  });

  it('cannot be changed by programs that the repository configures', async () => {
    const id = sandbox.repository('hostile');
    sandbox.git('hostile', 'config', 'core.fsmonitor', 'touch HACKED; false');
    sandbox.git('hostile', 'config', 'core.pager', 'touch HACKED; cat');
    expect(await derive('hostile')).toEqual({ known: true, id });
    expect(existsSync(sandbox.path('hostile', 'HACKED'))).toBe(false);
  });
});
