import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DIST = new URL('../../dist/', import.meta.url);

const {
  removeOthers,
  timeIn,
}: {
  removeOthers(folder: string, began: number, isKept: (path: string) => boolean): void;
  timeIn(folder: string): number;
} = await import(String(new URL('../../scripts/remove-others.js', import.meta.url)));

/** File times advance in steps. */
function waitForLater(folder: string): number {
  const before = timeIn(folder);
  for (;;) {
    const now = timeIn(folder);
    if (now > before) return now;
  }
}

it('a build removes files of earlier builds, and keeps its own and concurrent ones', () => {
  const dist = join(temporaryFolder(), 'dist');
  mkdirSync(join(dist, 'library/old'), { recursive: true });
  for (const name of ['index.js', 'library/chunk-OLD.js', 'library/chunk-KEPT.js', 'library/old/x.d.ts'])
    writeFileSync(join(dist, name), '');
  // Even with another time, it is from before.
  utimesSync(join(dist, 'library/chunk-OLD.js'), new Date(), new Date(Date.now() + 60_000));
  const began = waitForLater(dist);
  for (const name of ['index.js', 'library/chunk-NEW.js', 'program.cache'])
    writeFileSync(join(dist, name), 'new');
  utimesSync(join(dist, 'program.cache'), new Date(0), new Date(0));
  removeOthers(dist, began, (path) => basename(path) === 'chunk-KEPT.js');
  expect(readdirSync(dist, { recursive: true }).sort()).toEqual([
    'index.js',
    'library',
    'library/chunk-KEPT.js',
    'library/chunk-NEW.js',
    'program.cache',
  ]);
});

it('every hashed chunk exists once and is referenced', () => {
  const entries = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.c?js$/.test(name),
  );
  const texts = entries.map((name) => readFileSync(new URL(name, DIST), 'latin1')).join('');
  const parts = entries.filter((name) => /^(?:program|library)\//.test(name));
  expect(parts.length).toBeGreaterThan(5);
  for (const part of parts) expect([part, texts.includes(basename(part))]).toEqual([part, true]);
  const programs = parts
    .map((name) => /^program\/(\w+)-/.exec(name)?.[1])
    .filter((name) => name !== undefined);
  expect(programs.sort()).toEqual([...new Set(programs)]);
});

it('there are no types of removed modules', () => {
  const types = readdirSync(new URL('types/', DIST), { recursive: true, encoding: 'utf8' });
  const gone = types.filter(
    (name) =>
      name.endsWith('.d.ts') &&
      !existsSync(new URL(`../../src/${name.replace(/\.d\.ts$/, '.ts')}`, import.meta.url)),
  );
  expect(gone).toEqual([]);
});
