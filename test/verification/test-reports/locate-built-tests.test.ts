import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { locateBuiltTests } from '../../../src/verification/test-reports/locate-built-tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function located(files: readonly string[], results: readonly string[]): (string | undefined)[] {
  const root = temporaryFolder();
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  const tests = results.map((file) => ({ name: 'a', status: 'passed' as const, file }));
  return locateBuiltTests(root)({ runner: 'mocha', tests, faults: [] }).tests.map(({ file }) => file);
}

it('gives compiled tests the path of their source', () => {
  const files = ['src/tests/a.spec.ts', 'test/b.ts', 'packages/x/src/c.test.mts', 'src/test/d.test.ts'];
  expect(
    located(files, [
      'out/tests/a.spec.js',
      'build/test/b.js',
      'packages/x/dist/c.test.mjs',
      'dist-node/test/d.test.js',
    ]),
  ).toEqual(files);
});

it('leaves other paths alone', () => {
  const others = ['test/a.js', 'lib/b.test.js', 'out/c.spec.js', '../out/a.js', 'node_modules/out/a.js'];
  expect(located(['test/a.js', 'lib/b.test.js', 'src/a.ts'], others)).toEqual(others);
});
