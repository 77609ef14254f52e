import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SRC, sourceFiles } from './source-imports.ts';

const MAX_LINES = 300;
const MAX_SIBLINGS = 30;

it(`no source file has more than ${MAX_LINES} lines`, () => {
  const lines = (file: string) => readFileSync(join(SRC, file), 'utf8').trimEnd().split('\n').length;
  expect(sourceFiles().filter((file) => lines(file) > MAX_LINES)).toEqual([]);
});

it(`no source folder has more than ${MAX_SIBLINGS} entries`, () => {
  const folders = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  expect([SRC, ...folders].filter((folder) => readdirSync(folder).length > MAX_SIBLINGS)).toEqual([]);
});
