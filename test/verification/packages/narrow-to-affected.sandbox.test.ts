import { expect, it } from 'vitest';
import {
  affectedPackages,
  narrowCommand,
  withBuiltPackages,
} from '../../../src/verification/packages/narrow-to-affected.ts';

const one = (name: string, ...uses: string[]) => ({ name, folder: `packages/${name}`, uses: new Set(uses) });
const PACKAGES = [one('core'), one('web', 'api'), one('api', 'core'), one('docs')];

it('a change affects its package and everything that uses it, directly or not', () => {
  expect(affectedPackages(PACKAGES, ['packages/core/i.js'])).toEqual(['core', 'web', 'api']);
  expect(affectedPackages(PACKAGES, ['packages/web/i.js', 'packages/docs/x.js'])).toEqual(['web', 'docs']);
});

it('a file outside every package affects all of them, unless nothing reads it', () => {
  expect(affectedPackages(PACKAGES, ['packages/web/i.js', 'tsconfig.json'])).toBeUndefined();
  expect(affectedPackages(PACKAGES, ['packages/web/i.js', 'README.md'])).toEqual(['web']);
});

it('packages with cyclic dependencies are handled', () => {
  expect(affectedPackages([one('a', 'b'), one('b', 'a')], ['packages/a/i.js'])).toEqual(['a', 'b']);
});

it('a package that its own tests build runs before those that use it', () => {
  const packages = PACKAGES.map((pack) => ({ ...pack, buildsInTests: pack.name !== 'api' }));
  expect(withBuiltPackages(packages, ['web'])).toEqual(['core', 'web']);
  expect(withBuiltPackages(packages, ['docs'])).toEqual(['docs']);
});

it.each([
  ['npm test --workspaces --if-present', 'npm test --workspace @m/a --workspace b --if-present'],
  ['pnpm -r test', 'pnpm --filter @m/a --filter b test'],
  ['pnpm -r --no-bail test', 'pnpm --filter @m/a --filter b --no-bail test'],
  [
    'yarn workspaces foreach --all run test',
    'yarn workspaces foreach --all --include @m/a --include b run test',
  ],
  ['npx --yes pnpm@9.1.0 -r test', 'npx --yes pnpm@9.1.0 --filter @m/a --filter b test'],
  [
    'node .yarn/releases/yarn-4.1.1.cjs workspaces foreach --all run test',
    'node .yarn/releases/yarn-4.1.1.cjs workspaces foreach --all --include @m/a --include b run test',
  ],
  [
    'node .yarn/releases/yarn-3.6.4.cjs workspace @m/a test && node .yarn/releases/yarn-3.6.4.cjs workspace c test',
    'node .yarn/releases/yarn-3.6.4.cjs workspace @m/a test',
  ],
  ['yarn workspaces run test', 'yarn workspace @m/a run test && yarn workspace b run test'],
  [
    'corepack yarn build && corepack yarn workspace @m/a test && corepack yarn workspace c test',
    'corepack yarn build && corepack yarn workspace @m/a test',
  ],
  ['yarn workspace c test && yarn workspace d test', undefined],
  ['yarn workspace @m/a test || yarn workspace c test', undefined],
  ['yarn workspace @m/a test & yarn workspace c test && yarn workspace b test', undefined],
  ['(yarn workspace c test && yarn workspace b test)', undefined],
  ['npx c8 npm test --workspaces', 'npx c8 npm test --workspace @m/a --workspace b'],
  ['npm test', undefined],
  [
    'npm run build --workspaces --if-present && npm test --workspaces --if-present',
    'npm run build --workspaces --if-present && npm test --workspace @m/a --workspace b --if-present',
  ],
  ['pnpm -r run build && pnpm -r test', 'pnpm -r run build && pnpm --filter @m/a --filter b test'],
  [
    'yarn workspace c run build && yarn workspace @m/a run build && yarn workspace @m/a test && yarn workspace c test',
    'yarn workspace c run build && yarn workspace @m/a run build && yarn workspace @m/a test',
  ],
])('%s', (command, narrowed) => {
  expect(narrowCommand(command, ['@m/a', 'b'])).toBe(narrowed);
});

it('a name with shell characters narrows nothing', () => {
  expect(narrowCommand('pnpm -r test', ['a; true'])).toBeUndefined();
  expect(narrowCommand('pnpm -r test', [])).toBeUndefined();
});
