import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { buildState }: { buildState(root: string): string } = await import(
  String(new URL('../../scripts/build-state.js', import.meta.url))
);

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A checkout with a build and its recorded state. */
function built(): { root: string; state: string } {
  const root = temporaryFolder();
  for (const path of ['src/bin.ts', 'scripts/build.js', 'package.json', 'dist/bin.cjs', 'dist/program/p.js'])
    write(root, path, `of ${path}`);
  return { root, state: buildState(root) };
}

const CHANGES: Record<string, (root: string) => void> = {
  'a source is changed': (root) => write(root, 'src/bin.ts', 'other'),
  'a source is added': (root) => write(root, 'src/more/one.ts', ''),
  'a source is taken away': (root) => rmSync(join(root, 'src/bin.ts')),
  'the build itself is changed': (root) => write(root, 'scripts/build.js', 'other'),
  'other packages are installed': (root) => write(root, 'node_modules/.package-lock.json', '{}'),
  'a built file is changed': (root) => write(root, 'dist/program/p.js', 'other'),
  'a built file is taken away': (root) => rmSync(join(root, 'dist/program/p.js')),
  'nothing is built any more': (root) => rmSync(join(root, 'dist'), { recursive: true }),
};

for (const [what, change] of Object.entries(CHANGES))
  it(`it is rebuilt when ${what}`, () => {
    const { root, state } = built();
    change(root);
    expect(buildState(root)).not.toBe(state);
  });

it('it is not rebuilt when only file times and unrelated files changed', () => {
  const { root, state } = built();
  write(root, 'test/one.test.ts', '');
  write(root, 'README.md', '');
  utimesSync(join(root, 'dist/bin.cjs'), 1, 1);
  expect(buildState(root)).toBe(state);
});
