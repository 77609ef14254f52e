import { afterAll, beforeAll, expect, it } from 'vitest';
import { Repository } from '../../../src/platform/git/repository.ts';
import { packagesOf } from '../../../src/verification/packages/narrow-to-affected.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
const manifest = (name: string, more: object = {}) =>
  JSON.stringify({
    name,
    repository: 'shop/shop',
    bugs: { url: 'https://example.com/shop/shop/issues' },
    homepage: 'https://example.com/shop/shop/tree/main/packages/shop',
    keywords: ['shop'],
    ...more,
  });

let uses: Map<string, string[]>;

beforeAll(async () => {
  sandbox.emptyRepository('shop');
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
    'packages/shop/package.json': manifest('shop', { dependencies: { cart: '1' } }),
    'packages/cart/package.json': manifest('cart'),
    'packages/cart/README.md': "Use `'shop'` instead: ../shop/README.md\n",
    'packages/cart-kit/package.json': manifest('cart-kit'),
    'packages/cart-kit/index.js': "exports.path = '../shopping/index.js';\n",
    'packages/bill/package.json': manifest('bill', { dependencies: { 'cart-kit': '1' } }),
    'packages/bill/index.js': "import { sum } from '../cart/sum.js';\n",
    'packages/site/package.json': manifest('site', { jest: { preset: '../shop' } }),
    'packages/api/package.json': manifest('api'),
    'packages/api/index.js': 'const plugin = load("shop/plugin");\n',
  };
  for (const [path, text] of Object.entries(files)) sandbox.write(`shop/${path}`, text);
  sandbox.git('shop', 'add', '--all');
  sandbox.git('shop', 'commit', '--quiet', '-m', 'Packages');
  const repository = await Repository.open(sandbox.path('shop'));
  const names = ['shop', 'cart', 'cart-kit', 'bill', 'site', 'api'];
  const packages = await packagesOf(repository, 'HEAD');
  uses = new Map(packages.map((one) => [one.name, names.filter((name) => one.uses.has(name))]));
});
afterAll(() => sandbox.cleanup());

it('a package uses those that its files import without declaring them', () => {
  expect(uses.get('bill')).toEqual(['cart', 'cart-kit']);
  expect(uses.get('api')).toEqual(['shop']);
});

it('a setting in a package.json uses a package', () => {
  expect(uses.get('site')).toEqual(['shop']);
});

it('addresses, documents and longer names use none', () => {
  expect(uses.get('cart')).toEqual([]);
  expect(uses.get('cart-kit')).toEqual([]);
});
