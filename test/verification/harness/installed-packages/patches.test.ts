import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from '../tree-fixture.ts';

const manifest = (more: object = {}) =>
  JSON.stringify({ name: 'x', scripts: { test: 'vitest run', postinstall: 'patch-package' }, ...more });
const BASE: Files = {
  'package.json': manifest(),
  'package-lock.json': JSON.stringify({
    packages: {
      'node_modules/vitest': { version: '3.2.4', integrity: 'a', dependencies: { tinyrainbow: '2' } },
      'node_modules/tinyrainbow': { version: '2.0.0', integrity: 'b' },
      'node_modules/left-pad': { version: '1.3.0', integrity: 'c' },
    },
  }),
};
const patchOf = (folder: string, line = '+x') =>
  `diff --git a/${folder}/index.js b/${folder}/index.js\n--- a/${folder}/index.js\n+++ b/${folder}/index.js\n@@ -1 +1 @@\n-a\n${line}\n`;
/** As pnpm and Yarn write them: relative to the package. */
const RELATIVE = patchOf('dist').replaceAll('a/dist', 'a').replaceAll('b/dist', 'b');

describe('a patch of patch-package', () => {
  it.each([
    ['a runner', 'patches/vitest+3.2.4.patch', 'node_modules/vitest', 'vitest'],
    [
      'a part of a runner',
      'patches/@vitest+expect+3.2.4.patch',
      'node_modules/@vitest/expect',
      '@vitest/expect',
    ],
    ['an assertion library', 'tools/own/chai+5.0.0.dev.patch', 'node_modules/chai', 'chai'],
    ['what a runner needs', 'patches/tinyrainbow+2.0.0.patch', 'node_modules/tinyrainbow', 'tinyrainbow'],
    [
      'a package inside of another',
      'patches/a++chai+4.0.0.patch',
      'node_modules/a/node_modules/chai',
      'chai',
    ],
    ['a runner under another name', 'patches/left-pad+1.3.0.patch', 'node_modules/vitest', 'vitest'],
    ['a runner by a detour', 'patches/left-pad+1.3.0.patch', 'node_modules/left-pad/../vitest', 'vitest'],
  ])('for %s is a change', async (_, path, folder, name) => {
    expect(await shortChanges('npm test', BASE, { [path]: patchOf(folder) })).toEqual([
      `added ${path} patch of ${name}`,
    ]);
  });

  it('for a runner may not change either', async () => {
    const path = 'patches/vitest+3.2.4.patch';
    const base = { ...BASE, [path]: patchOf('node_modules/vitest') };
    const changed = { [path]: patchOf('node_modules/vitest', '+y') };
    expect(await shortChanges('npm test', base, changed)).toEqual([`changed ${path} patch of vitest`]);
  });

  it('for a dependency of the product is not a change', async () => {
    const path = 'patches/left-pad+1.3.0.patch';
    expect(await shortChanges('npm test', BASE, { [path]: patchOf('node_modules/left-pad') })).toEqual([]);
  });
});

describe('a patch of pnpm, Yarn or Bun', () => {
  const path = 'patches/own.patch';
  const places: readonly (readonly [string, Files, string])[] = [
    [
      'pnpm in package.json',
      { 'package.json': manifest({ pnpm: { patchedDependencies: { 'NAME@3.2.4': path } } }) },
      'package.json pnpm.patchedDependencies.NAME@3.2.4',
    ],
    [
      'pnpm in its workspace file',
      { 'pnpm-workspace.yaml': `patchedDependencies:\n  'NAME@3.2.4': ${path}\n` },
      'pnpm-workspace.yaml redirected packages.patchedDependencies.NAME@3.2.4',
    ],
    [
      'Yarn by a resolution',
      { 'package.json': manifest({ resolutions: { 'NAME@npm:^3': `patch:NAME@npm%3A3.2.4#~/${path}` } }) },
      'package.json resolutions.NAME@npm:^3',
    ],
    [
      'Yarn by a dependency',
      {
        'package.json': manifest({
          devDependencies: { NAME: `patch:NAME@npm%3A3.2.4#./${path}::version=3` },
        }),
      },
      'package.json devDependencies.NAME',
    ],
    [
      'Bun',
      { 'package.json': manifest({ patchedDependencies: { 'NAME@3.2.4': path } }) },
      'package.json patchedDependencies.NAME@3.2.4',
    ],
  ];
  const named = (files: Files, name: string): Files =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replaceAll('NAME', name)]));

  it.each(places)('is a change for a runner: %s', async (_, files, part) => {
    const changed = { ...named(files, 'vitest'), [path]: RELATIVE };
    expect(await shortChanges('npm test', BASE, changed)).toEqual([
      ...[`added ${part.replace('NAME', 'vitest')}`, `added ${path} whole file`].sort(),
    ]);
  });

  it.each(places)('may not change for a runner: %s', async (_, files) => {
    const base = { ...BASE, ...named(files, 'vitest'), [path]: RELATIVE };
    expect(await shortChanges('npm test', base, { [path]: `${RELATIVE}+y\n` })).toEqual([
      `changed ${path} whole file`,
    ]);
  });

  it.each(places)('is not a change for a dependency of the product: %s', async (_, files) => {
    const changed = { ...named(files, 'left-pad'), [path]: RELATIVE };
    expect(await shortChanges('npm test', BASE, changed)).toEqual([]);
  });
});
