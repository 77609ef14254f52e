import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedDuring, type TimeSpan } from '../../../src/enforcement/effective/change-time.ts';
import type { WatchArea } from '../../../src/enforcement/watch/watch-areas.ts';
import { statPath } from '../../../src/enforcement/watch/watched-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HELPER = '.claude/agents/helper.md';
/** More than the rounding of file systems. */
const APART_MS = 50;

test('a new file is not attributed to a command that only changed a parent folder earlier', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude/agents'), { recursive: true });
  writeFileSync(join(folder, 'made-by-the-command'), '');
  const command = spanAround(folder);
  await later(command);
  writeFileSync(join(folder, HELPER), 'a person wrote this');
  expect(isOf(folder, command)).toBe(false);
  expect(isOf(folder, spanAround(join(folder, HELPER)))).toBe(true);
});

test('a new file in a moved folder is attributed to the command that moved the folder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'prepared/agents'), { recursive: true });
  writeFileSync(join(folder, 'prepared/agents/helper.md'), 'prepared');
  await later(spanAround(join(folder, 'prepared/agents/helper.md')));
  renameSync(join(folder, 'prepared'), join(folder, '.claude'));
  expect(isOf(folder, spanAround(folder))).toBe(true);
});

test('a new file stays attributed to its command when its mode changes later', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude/agents'), { recursive: true });
  writeFileSync(join(folder, HELPER), 'made by the command');
  const command = spanAround(join(folder, '.claude/agents'));
  await later(command);
  writeFileSync(join(folder, HELPER), 'made by the command');
  expect(isOf(folder, command)).toBe(true);
});

test('a removal is attributed by the nearest remaining folder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude/agents'), { recursive: true });
  writeFileSync(join(folder, HELPER), 'a person wrote this');
  const before = spanAround(join(folder, '.claude/agents'));
  await later(before);
  rmSync(join(folder, HELPER));
  const gone = { path: HELPER, before: undefined, found: undefined };
  expect(changedDuring(areaOf(folder), gone, [before])).toBe(false);
  expect(changedDuring(areaOf(folder), gone, [spanAround(join(folder, '.claude/agents'))])).toBe(true);
});

/** ctime of a path. */
function spanAround(path: string): TimeSpan {
  const at = changeTime(path);
  return { begin: at, end: at };
}

function changeTime(path: string): number {
  const look = statPath(path);
  if (!look) throw new Error(`${path} is missing`);
  return look.changedAt;
}

/** Waits until the file system's clock has left a span. */
async function later({ end }: TimeSpan): Promise<void> {
  const probe = join(temporaryFolder(), 'probe');
  do {
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(probe, '');
  } while (changeTime(probe) < (end ?? 0) + APART_MS);
}

function isOf(folder: string, span: TimeSpan): boolean {
  const look = statPath(join(folder, HELPER));
  if (!look) throw new Error('the helper is missing');
  const found = { ...look, path: HELPER, hash: 'new', bytes: undefined };
  return changedDuring(areaOf(folder), { path: HELPER, before: undefined, found }, [span]);
}

function areaOf(folder: string): WatchArea {
  return {
    kind: 'checkout',
    key: { project: 'shop', checkout: folder },
    folder,
    roots: [],
    wantsFolder: () => true,
    wants: () => true,
    shown: (path) => path,
  };
}
