import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { locateBuiltTests, relativeTo } from '../../../src/verification/test-reports/report-paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function fileIn(root: string, file: string): string | undefined {
  const report = { runner: 'tap', tests: [{ name: 'a', status: 'passed' as const, file }], faults: [] };
  return relativeTo(root)(report).tests[0]?.file;
}

it.each([
  ['/project/test/a.test.js', 'test/a.test.js'],
  ['file:///project/test/a%20b.test.js', 'test/a b.test.js'],
  ['/project/test/../src/a.js', 'src/a.js'],
  ['./test/a.js', 'test/a.js'],
  ['/project/..odd/a.js', '..odd/a.js'],
  ['/elsewhere/a.js', '/elsewhere/a.js'],
  ['/project-two/a.js', '/project-two/a.js'],
  ['file://host/%zz', 'file://host/%zz'],
])('%s in /project is %s', (file, expected) => {
  expect(fileIn('/project', file)).toBe(expected);
});

it('a tree behind a link is matched by both of its names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guardkit-relative-'));
  made.push(folder);
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  expect(fileIn(join(folder, 'link'), join(folder, 'real', 'a.js'))).toBe('a.js');
  expect(fileIn(join(folder, 'link'), join(folder, 'link', 'a.js'))).toBe('a.js');
});

it('faults get the same paths, and those without one stay without', () => {
  const report = {
    runner: 'tap',
    tests: [],
    faults: [{ file: '/project/a.js', message: 'x' }, { message: 'y' }],
  };
  expect(relativeTo('/project')(report).faults).toEqual([{ file: 'a.js', message: 'x' }, { message: 'y' }]);
});

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

it('gives tests compiled for several formats the path of their source', () => {
  const compiled = ['lib/umd/test/d.test.js', 'lib/esm/test/d.test.js', 'dist/node/es2020/test/d.test.js'];
  expect(located(['src/test/d.test.ts'], compiled)).toEqual(compiled.map(() => 'src/test/d.test.ts'));
  // Of two files, the one with the longer common path is the source.
  expect(located(['src/umd/a.test.ts', 'src/a.test.ts'], ['lib/umd/a.test.js'])).toEqual([
    'src/umd/a.test.ts',
  ]);
});

it('leaves other paths alone', () => {
  const others = ['test/a.js', 'lib/b.test.js', 'out/c.spec.js', '../out/a.js', 'node_modules/out/a.js'];
  expect(located(['test/a.js', 'lib/b.test.js', 'src/a.ts'], others)).toEqual(others);
});
