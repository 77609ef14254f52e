import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OUTSIDE_THE_TREE } from '../../../src/domain/protection/project-paths.ts';
import type { SessionContext } from '../../../src/orchestration/in-agent/session-context.ts';
import { setAside } from '../../../src/orchestration/in-agent/set-aside-abandoned-work.ts';
import { snapshotTree } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { HookedProject } from '../../support/hooked-project.ts';

async function begun(project: HookedProject): Promise<string> {
  return snapshotTree(await Repository.open(project.folder), OUTSIDE_THE_TREE);
}

function aside(project: HookedProject, tree: string) {
  // All that it needs of the ground.
  const ground = { checkout: project.folder } as SessionContext;
  return setAside(ground, 'SES-1', { feature: 'FEAT-1', tree, theirs: [] }, 'blocked');
}

it('the work on an abandoned feature is removed from the files and kept in git', async () => {
  const project = new HookedProject();
  project.write('src/gone.js', 'was here\n');
  project.write('uncommitted.txt', 'of a person\n');
  const tree = await begun(project);
  project.write('src/cart.js', 'broken\n');
  project.write('src/new/deep.js', 'new\n');
  rmSync(project.path('src/gone.js'));
  project.write('.guardkit/config.yaml', 'project: shop-1\n# a person’s line\n');
  const set = await aside(project, tree);
  expect(set).toEqual({ ref: 'refs/guardkit/sessions/SES-1/blocked/FEAT-1', files: 3 });
  expect(await begun(project)).toBe(tree);
  expect(project.read('src/gone.js')).toBe('was here\n');
  expect(project.read('uncommitted.txt')).toBe('of a person\n');
  expect(project.read('.guardkit/config.yaml')).toContain('a person’s line');
  expect(project.git('show', `${set?.ref}:src/new/deep.js`)).toBe('new\n');
  expect(project.git('status', '--porcelain', '--', 'src/cart.js')).toBe('');
  expect(project.git('log', '--oneline').trim().split('\n')).toHaveLength(1);
});

it('work set aside earlier under the same name stays reachable', async () => {
  const project = new HookedProject();
  const tree = await begun(project);
  for (const text of ['first\n', 'second\n']) {
    project.write('src/cart.js', text);
    await aside(project, tree);
  }
  const ref = 'refs/guardkit/sessions/SES-1/blocked/FEAT-1';
  expect(project.git('show', `${ref}:src/cart.js`)).toBe('second\n');
  expect(project.git('show', `${ref}^2:src/cart.js`)).toBe('first\n');
});

it('nothing is set aside if nothing changed', async () => {
  const project = new HookedProject();
  expect(await aside(project, await begun(project))).toBeUndefined();
  expect(project.git('for-each-ref', 'refs/guardkit')).toBe('');
});

it('nothing outside the checkout is touched through links created meanwhile', async () => {
  const project = new HookedProject();
  project.write('lib/a.js', 'inside\n');
  const tree = await begun(project);
  const outside = join(project.home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.js'), 'outside\n');
  rmSync(project.path('lib'), { recursive: true });
  symlinkSync(outside, project.path('lib'));
  project.write('more/b.js', 'b\n');
  await aside(project, tree);
  expect(readFileSync(join(outside, 'a.js'), 'utf8')).toBe('outside\n');
  expect(project.read('lib/a.js')).toBe('inside\n');
  expect(existsSync(project.path('more/b.js'))).toBe(false);
});
