import { expect, it } from 'vitest';
import { importsOf, sourceFiles } from './source-imports.ts';

/** Folders by rank, as in docs/adr/0001; files at the root of src/ have their own rank. */
const RANKS: Record<string, number> = {
  'guardkit-error.ts': -1,
  'version.ts': -1,
  domain: 0,
  platform: 0,
  config: 1,
  store: 1,
  rules: 2,
  guards: 2,
  architecture: 2,
  verification: 3,
  enforcement: 4,
  learning: 4,
  orchestration: 5,
  interfaces: 6,
  'program.ts': 7,
  'load-program.ts': 8,
  'start-hook.ts': 9,
  'hook.ts': 10,
  'hook-worker.ts': 10,
  'dashboard-worker.ts': 10,
  'chain-worker.ts': 10,
  'session-worker.ts': 10,
  'bin.ts': 10,
  'index.ts': 10,
};

function layer(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'interfaces' ? `interfaces/${second}` : first;
}

function rank(file: string): number | undefined {
  return RANKS[file.split('/')[0] ?? ''];
}

const edges = sourceFiles().flatMap((from) =>
  importsOf(from)
    .filter(({ isPackage }) => !isPackage)
    .map(({ to, typeOnly }) => ({ from, to, typeOnly })),
);

it('every source file belongs to a ranked layer [ARCH-1]', () => {
  expect(sourceFiles().filter((file) => rank(file) === undefined)).toEqual([]);
});

it('a file imports only from lower ranks or its own folder [ARCH-1]', () => {
  const upward = edges.filter(
    ({ from, to }) => layer(from) !== layer(to) && (rank(to) ?? 99) >= (rank(from) ?? -99),
  );
  expect(upward).toEqual([]);
});

it('every relative import names a file that exists', () => {
  const files = new Set(sourceFiles());
  expect(edges.filter(({ to }) => !files.has(to))).toEqual([]);
});

it('no import cycle exists, types included [ARCH-1]', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of sourceFiles()) visit(file, []);
  expect(cycles).toEqual([]);
});
