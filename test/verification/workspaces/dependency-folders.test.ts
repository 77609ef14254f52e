import { expect, it } from 'vitest';
import { isInstalled, isUnneeded } from '../../../src/verification/workspaces/dependency-folders.ts';

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

it.each([
  ['coverage', true],
  ['.husky/_', true],
  ['src/shop/__pycache__', true],
  ['packages/a/.turbo', true],
  ['dist', false],
  ['.husky', false],
  ['src/reporters', false],
])('%s from a set-up is not kept: %s', (path, expected) => {
  expect(isUnneeded(path)).toBe(expected);
});
