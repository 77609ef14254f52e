import { expect, it } from 'vitest';
import { withOwnScripts } from '../../../src/verification/packages/packages-with-own-scripts.ts';

const manifest = (folder: string, scripts?: object) => ({
  path: `packages/${folder}/package.json`,
  text: JSON.stringify({ name: folder, scripts }),
});
const BASE = [manifest('a', { test: 'vitest run --coverage', build: 'tsc' })];

it('a new package with the scripts of others has none of its own', () => {
  const same = [manifest('b', { test: 'vitest run --coverage' }), manifest('c')];
  expect(withOwnScripts(BASE, same)).toEqual([]);
});

it('a script that no package of the base has under its name is the package’s own', () => {
  const others = [
    manifest('b', { test: 'cp forged.txt coverage/lcov.info' }),
    manifest('c', { test: 'vitest run --coverage', posttest: 'tsc' }),
    { path: 'packages/d/package.json', text: '{' },
  ];
  expect(withOwnScripts(BASE, others)).toEqual(['packages/b', 'packages/c', 'packages/d']);
});
