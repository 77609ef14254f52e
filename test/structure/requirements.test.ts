import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { REQUIREMENTS } from '../requirements.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

function citations(isCounted: (file: string) => boolean = () => true): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && isCounted(file),
  );
  const texts = files.map((file) => readFileSync(join(TESTS, file), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\[([A-Z]+-\d+)\]/g)].map((match) => match[1] ?? '')),
  );
}

it('every promise is cited by a test of the usual run', () => {
  const cited = citations((file) => !file.endsWith('.slow.test.ts'));
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

it('every citation names a promise', () => {
  expect([...citations()].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
});
