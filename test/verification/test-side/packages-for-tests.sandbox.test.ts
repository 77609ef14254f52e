import { afterAll, beforeAll, expect, it } from 'vitest';
import { isTestFile } from '../../../src/domain/is-test-file.ts';
import { listTree } from '../../../src/platform/git/git-tree.ts';
import { Repository } from '../../../src/platform/git/repository.ts';
import { inPackagesForTests } from '../../../src/verification/test-side/packages-for-tests.ts';
import { Sandbox } from '../../support/cli.ts';

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, version: '1.0.0', ...more });
const KIT = { private: true, main: 'src/index.js' };

const BASE: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
  'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/kit' }] }),
  'packages/cart/package.json': manifest('@shop/cart', {
    devDependencies: { '@shop/kit': '1', '@shop/published': '1' },
    dependencies: { '@shop/words': '1' },
  }),
  'packages/cart/index.js': "exports.load = () => require('@shop/inner');\n",
  'packages/cart/cart.test.js':
    "require('@shop/kit');\nrequire('@shop/published');\nrequire('@shop/words');\nrequire('@shop/inner');\n",
  'packages/kit/package.json': manifest('@shop/kit', KIT),
  'packages/kit/src/index.js': 'exports.shape = JSON.stringify;\n',
  'packages/published/package.json': manifest('@shop/published'),
  'packages/published/index.js': '',
  'packages/words/package.json': manifest('@shop/words', KIT),
  'packages/words/index.js': '',
  'packages/inner/package.json': manifest('@shop/inner', KIT),
  'packages/inner/index.js': '',
  'packages/site/package.json': manifest('@shop/site', KIT),
  'packages/site/index.js': '',
};

const sandbox = new Sandbox();
let repository: Repository;

beforeAll(async () => {
  sandbox.emptyRepository('shop');
  for (const [path, text] of Object.entries(BASE)) sandbox.write(`shop/${path}`, text);
  sandbox.git('shop', 'add', '--all');
  sandbox.git('shop', 'commit', '--quiet', '-m', 'Packages');
  repository = await Repository.open(sandbox.path('shop'));
});
afterAll(() => sandbox.cleanup());

async function found(...paths: string[]): Promise<string[]> {
  const [base, now] = await Promise.all(['HEAD~0', 'HEAD'].map((tree) => listTree(repository, tree)));
  const trees = [{ tree: 'HEAD', entries: base ?? [] }, { entries: now ?? [] }] as const;
  return [...(await inPackagesForTests(repository, ...trees, paths, isTestFile))];
}

it('a private package that only tests import belongs to the tests', async () => {
  expect(await found('packages/kit/src/index.js')).toEqual(['packages/kit/src/index.js']);
});

it.each(['published', 'words', 'inner', 'site'])('the package %s is product code', async (name) => {
  expect(await found(`packages/${name}/index.js`)).toEqual([]);
});

it('a package.json counts only if the entry points change', async () => {
  const path = 'packages/kit/package.json';
  expect(await found(path)).toEqual([]);
  sandbox.write(`shop/${path}`, manifest('@shop/kit', { ...KIT, main: 'src/other.js' }));
  sandbox.git('shop', 'commit', '--quiet', '--all', '-m', 'Other entry');
  const [base, now] = await Promise.all(['HEAD~1', 'HEAD'].map((tree) => listTree(repository, tree)));
  const trees = [{ tree: 'HEAD~1', entries: base ?? [] }, { entries: now ?? [] }] as const;
  expect([...(await inPackagesForTests(repository, ...trees, [path], isTestFile))]).toEqual([path]);
});
