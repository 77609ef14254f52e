import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from '../tree-fixture.ts';

const manifest = (more: object = {}) => JSON.stringify({ name: 'x', scripts: { test: 'mocha' }, ...more });
const BASE: Files = {
  'package.json': manifest(),
  'package-lock.json': JSON.stringify({
    packages: {
      'node_modules/chai': { version: '5.0.0', integrity: 'a', dependencies: { loupe: '3' } },
      'node_modules/loupe': { version: '3.0.0', integrity: 'b' },
    },
  }),
};

describe('settings that take what judges from somewhere else', () => {
  it.each<[string, object]>([
    ['overrides.a.chai', { overrides: { a: { chai: 'file:./own' } } }],
    ['overrides.chai@5..', { overrides: { 'chai@5': { '.': 'file:./own' } } }],
    ['overrides.loupe', { overrides: { loupe: 'npm:own@1' } }],
    ['pnpm.overrides.a>chai', { pnpm: { overrides: { 'a>chai': 'link:./own' } } }],
    [
      'pnpm.packageExtensions.mocha.dependencies.glob',
      { pnpm: { packageExtensions: { mocha: { dependencies: { glob: 'file:./own' } } } } },
    ],
    ['resolutions.a/chai@npm:^5', { resolutions: { 'a/chai@npm:^5': 'portal:./own' } }],
    ['resolutions.**/chai', { resolutions: { '**/chai': 'file:./own' } }],
    ['workspaces.catalog.chai', { workspaces: { catalog: { chai: 'file:./own' } } }],
    ['peerDependencies.chai', { peerDependencies: { chai: 'file:./own' } }],
    ['dependencies.@vitest/spy', { dependencies: { '@vitest/spy': 'github:own/spy' } }],
  ])('are a change: %s', async (part, json) => {
    expect(await shortChanges('npm test', BASE, { 'package.json': manifest(json) })).toEqual([
      `added package.json ${part}`,
    ]);
  });

  it.each([
    ['overrides: {chai: "file:./own"}', 'overrides.chai'],
    ['overrides:\n  chai:\n    link:./own', 'overrides.chai'],
    ['overrides:\n  "ch\\u0061i@5": link:./own', 'overrides.chai@5'],
    ['x: &x link:./own\noverrides:\n  a>chai: *x', 'overrides.a>chai'],
    [
      'packageExtensions:\n  b@*:\n    dependencies:\n      chai: file:./own',
      'packageExtensions.b@*.dependencies.chai',
    ],
  ])('are a change in the settings of pnpm and Yarn: %j', async (text, part) => {
    for (const file of ['pnpm-workspace.yaml', '.yarnrc.yml'])
      expect(await shortChanges('npm test', BASE, { [file]: `${text}\n` })).toEqual([
        `added ${file} redirected packages.${part}`,
      ]);
  });

  it.each<[string, object]>([
    ['versions', { overrides: { chai: '5.1.0', loupe: '^3 || 4' }, resolutions: { 'a/chai': '5.1.0' } }],
    ['the same version as elsewhere', { overrides: { chai: '$chai' }, devDependencies: { chai: '^5' } }],
    ['a version with its protocol', { devDependencies: { chai: 'npm:^5.0.0', mocha: 'npm:mocha@^11' } }],
    ['packages that judge nothing', { overrides: { ours: 'file:./own', 'a>ours': 'npm:own@1' } }],
    ['dependencies of the product', { dependencies: { ours: 'file:./own', loupe: 'github:own/loupe' } }],
    ['a workspace', { devDependencies: { mocha: 'workspace:^', chai: 'catalog:' } }],
  ])('may be %s', async (_, json) => {
    expect(await shortChanges('npm test', BASE, { 'package.json': manifest(json) })).toEqual([]);
  });
});

describe('the folder that a runner comes from', () => {
  const local = { 'package.json': manifest({ devDependencies: { mocha: 'file:./vendor/mocha' } }) };

  it('counts with all of its files', async () => {
    const base = { ...local, 'vendor/mocha/index.js': '1', 'vendor/other/index.js': '1' };
    expect(
      await shortChanges('npm test', base, { 'vendor/mocha/index.js': '2', 'vendor/other/index.js': '2' }),
    ).toEqual(['changed vendor/mocha/index.js whole file']);
  });

  it('does not count if it is the product', async () => {
    const base = {
      'package.json': manifest({
        workspaces: ['packages/*'],
        devDependencies: { mocha: 'file:./packages/mocha' },
      }),
      'packages/mocha/package.json': '{"name":"mocha"}',
      'packages/mocha/index.js': '1',
    };
    expect(await shortChanges('npm test', base, { 'packages/mocha/index.js': '2' })).toEqual([]);
    const itself = { 'package.json': manifest({ devDependencies: { mocha: 'link:.' } }), 'index.js': '1' };
    expect(await shortChanges('npm test', itself, { 'index.js': '2' })).toEqual([]);
  });
});

it('a package of the project with the name of one that a runner needs is a change', async () => {
  const added = { 'packages/loupe/package.json': '{"name":"loupe"}' };
  expect(await shortChanges('npm test', BASE, added)).toEqual(['added packages/loupe/package.json name']);
  const forEditors = { '.yarn/sdks/loupe/package.json': '{"name":"loupe"}' };
  expect(await shortChanges('npm test', BASE, forEditors)).toEqual([]);
});
