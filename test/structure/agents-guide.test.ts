import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const GUIDE = readFileSync('docs/guide/agents.md', 'utf8');

/** The tests in the guide's lists, by number. */
const ENTRIES = new Map(
  [...GUIDE.matchAll(/^(?:(\d+)\.|- ([A-Z]\d+)) ((?:.*)(?:\n {2,}.*)*)/gm)].map(
    ([, number, label, text = '']) => [number ?? label ?? '', text.replace(/\s+/g, ' ')] as const,
  ),
);

interface NamedTest {
  entry: string;
  path: string;
  name: string;
}

/** An entry has parts like `path`: name of a test; the path is missing if it is the one before. */
function namedTests(): NamedTest[] {
  let path = '';
  return [...ENTRIES].flatMap(([entry, text]) =>
    text.split('; ').map((part) => {
      const [, named, name = ''] =
        /^(?:(?:each file in )?`([^`]+)`|the same file)?(?:: )?(.*)$/.exec(part) ?? [];
      path = named ?? path;
      return { entry, path, name };
    }),
  );
}

/** The tests in a file, or in each test file of a folder. */
function sourcesAt(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [readFileSync(path, 'utf8')];
  return readdirSync(path)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8'));
}

/** Names of tests with cases are shortened with `…`. */
function hasTest(source: string, name: string): boolean {
  const parts = name.split('…').map((part) => part.trim());
  return parts.every((part) => source.includes(part) || source.includes(part.replaceAll('’', "\\'")));
}

const ROWS = (/\| {2}\| Claude Code[\s\S]*?\n\n/.exec(GUIDE)?.[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('|  |'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

describe('the guide to coding agents', () => {
  it('names only tests that exist', () => {
    const tests = namedTests();
    expect(tests.length).toBeGreaterThan(60);
    const missing = tests.filter(({ path, name }) => {
      const sources = sourcesAt(path);
      return sources.length === 0 || !sources.every((source) => hasTest(source, name));
    });
    expect(missing).toEqual([]);
  });

  it('refers to each of them, and to no others', () => {
    const referred = new Set([...GUIDE.matchAll(/\[([A-Z]?\d+)\]/g)].map(([, number]) => number));
    expect([...referred].filter((number) => !ENTRIES.has(String(number)))).toEqual([]);
    expect([...ENTRIES.keys()].filter((number) => !referred.has(number))).toEqual([]);
  });

  it('has a test for everything that works', () => {
    expect(ROWS.length).toBeGreaterThan(15);
    const unproved = ROWS.flatMap(([what, ...cells]) =>
      cells
        .filter((cell) => !/\[[A-Z]?\d+\]/.test(cell) && !/^no[t ,:]/.test(cell))
        .map((cell) => [what, cell]),
    );
    expect(unproved).toEqual([]);
  });
});
