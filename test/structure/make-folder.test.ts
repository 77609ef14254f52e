import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SRC, sourceFiles } from './source-imports.ts';

it('only makeFolder creates parents: Node’s own recursion never ends in /proc', () => {
  const recursive = sourceFiles().filter((file) =>
    /\bmkdir(?:Sync)?\([^;]*\brecursive\b/.test(readFileSync(`${SRC}/${file}`, 'utf8')),
  );
  expect(recursive).toEqual([]);
});
