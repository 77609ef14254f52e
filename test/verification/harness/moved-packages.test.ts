import { expect, it } from 'vitest';
import { shortChanges } from './tree-fixture.ts';

const COMMAND = 'npm test --workspaces --if-present';
const root = (...workspaces: string[]) => JSON.stringify({ workspaces });
const pack = (script: string) => JSON.stringify({ name: 'b', scripts: { test: script } });
const BASE = {
  'package.json': root('packages/*'),
  'packages/a/package.json': pack('vitest run'),
  'packages/b/package.json': pack('vitest run'),
  'packages/b/vitest.config.js': 'export default { test: { globals: true } };\n',
};
const GONE = { 'packages/b/package.json': undefined, 'packages/b/vitest.config.js': undefined };
const CONFIG = { 'packages/c/vitest.config.js': BASE['packages/b/vitest.config.js'] };

it('a package with a new folder name has the same harness', async () => {
  const changed = { ...GONE, ...CONFIG, 'packages/c/package.json': pack('vitest run') };
  expect(await shortChanges(COMMAND, BASE, changed)).toEqual([]);
});

it.each([
  ['another script', { ...CONFIG, 'packages/c/package.json': pack('vitest run a') }],
  [
    'other settings',
    {
      'packages/c/package.json': pack('vitest run'),
      'packages/c/vitest.config.js': 'export default { test: { exclude: ["a"] } };\n',
    },
  ],
  ['no settings', { 'packages/c/package.json': pack('vitest run') }],
  ['a folder outside the workspace', { 'other/b/package.json': pack('vitest run') }],
])('the harness changes if the package has %s', async (_name, added) => {
  expect(await shortChanges(COMMAND, BASE, { ...GONE, ...added })).toContain(
    'removed packages/b/package.json scripts.test',
  );
});

it('the harness changes if the moved package gets further settings', async () => {
  const changed = {
    ...GONE,
    ...CONFIG,
    'packages/c/package.json': pack('vitest run'),
    'packages/c/babel.config.js': 'module.exports = {};\n',
    'packages/c/vitest.setup.js': 'globalThis.expect = () => ({});\n',
    'packages/c/vitest.config.ts': 'export default { test: { setupFiles: ["./vitest.setup.js"] } };\n',
  };
  expect(await shortChanges(COMMAND, BASE, changed)).toContain(
    'removed packages/b/package.json scripts.test',
  );
});
