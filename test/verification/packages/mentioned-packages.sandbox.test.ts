import { symlinkSync } from 'node:fs';
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
    'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { bench: 'node util/bench.js' } }),
    'util/bench.js': "import '../packages/set-up/index.js';\n",
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
    'packages/lists/package.json': manifest('lists', { dependencies: { basket: 'workspace:cart@*' } }),
    'packages/parts/package.json': manifest('parts'),
    'packages/parts/index.js': "require(path.join(__dirname, '..', 'bill', 'index.js'));\n",
    'packages/lines/package.json': manifest('lines'),
    'packages/lines/index.js': "const file = path.join(\n  root,\n  'bill',\n  'index.js',\n);\n",
    'packages/every/package.json': manifest('every'),
    'packages/every/index.js': "const all = glob('packages/*/package.json');\n",
    'packages/linked/package.json': manifest('linked'),
    'packages/tool/package.json': manifest('tool', { bin: { 'shop-build': 'cli.js' } }),
    'packages/built/package.json': manifest('built', { scripts: { build: 'shop-build --all src' } }),
    'packages/set-up/package.json': manifest('set-up'),
    'packages/configured/package.json': manifest('configured', {
      scripts: { test: 'mocha --config ../../runner.base.json' },
    }),
    'packages/plain/package.json': manifest('plain', { exports: { './package.json': './package.json' } }),
    'runner.base.json': JSON.stringify({ require: './shared/load.js' }),
    'shared/load.js': "import '../packages/set-up/index.js';\n",
    'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/set-up' }] }),
  };
  for (const [path, text] of Object.entries(files)) sandbox.write(`shop/${path}`, text);
  symlinkSync('../bill/index.js', sandbox.path('shop/packages/linked/bill.js'));
  sandbox.git('shop', 'add', '--all');
  sandbox.git('shop', 'commit', '--quiet', '-m', 'Packages');
  const repository = await Repository.open(sandbox.path('shop'));
  const packages = await packagesOf(repository, 'HEAD');
  const names = packages.map(({ name }) => name).sort();
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

it('a dependency under another name uses the package that it stands for', () => {
  expect(uses.get('lists')).toEqual(['cart']);
});

it('a path in parts uses the package that it leads to', () => {
  expect(uses.get('parts')).toEqual(['bill']);
  expect(uses.get('lines')).toEqual(['bill']);
});

it('a pattern for all packages uses all of them', () => {
  expect(uses.get('every')).toEqual([...uses.keys()].filter((name) => name !== 'every').sort());
});

it('a symbolic link uses the package that it leads to', () => {
  expect(uses.get('linked')).toEqual(['bill']);
});

it('a script uses the package that installs its program', () => {
  expect(uses.get('built')).toEqual(['tool']);
});

it('shared settings lead to the package that they load, for those that name the settings', () => {
  expect(uses.get('configured')).toEqual(['set-up']);
  expect(uses.get('plain')).toEqual([]);
});
