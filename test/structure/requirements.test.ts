import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { REQUIREMENTS } from '../requirements.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** The texts of all test files, or of what runs usually: neither slow files nor the names of further cases. */
function tests(which: 'all' | 'usual'): string[] {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  const read = (file: string) => readFileSync(join(TESTS, file), 'utf8');
  if (which === 'all') return files.map(read);
  return files
    .filter((file) => !/\.(?:slow|long)\.test\.ts$/.test(file))
    .map((file) => read(file).replaceAll(/\bfurther\(\s*'[^']*'/g, ''));
}

function citations(texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\[([A-Z]+-\d+)\]/g)].map((match) => match[1] ?? '')),
  );
}

it('every promise is cited by a test of the usual run', () => {
  const cited = citations(tests('usual'));
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

it('every citation names a promise', () => {
  expect([...citations(tests('all'))].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
});
