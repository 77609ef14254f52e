import { expect, it } from 'vitest';
import { isInstalled } from '../../../src/verification/workspaces/dependency-folders.ts';

it.each([
  ['node_modules', true],
  ['packages/a/node_modules', true],
  ['.venv', true],
  ['src/shop.egg-info', true],
  ['src/shop/_version.py', true],
  ['shop/_scm_version.py', true],
  ['package-lock.json', true],
  ['dist', false],
  ['src/shop/version.py', false],
  ['src/shop/my_version.py', false],
])('%s from a set-up is valid for every tree with the same dependencies: %s', (path, expected) => {
  expect(isInstalled(path)).toBe(expected);
});
