import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { returnDownloads, takeDownloads } from '../../../src/verification/workspaces/workspace-home.ts';

const MEMORY = '/dev/shm';
const isElsewhere = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

describe('the downloads of a set-up', () => {
  it.each([
    ['on the disk of the cache', tmpdir()],
    ...(isElsewhere ? [['on another disk than the cache', MEMORY]] : []),
  ])('are kept for the next one if the workspaces are %s', async (_where, disk = '') => {
    const home = mkdtempSync(join(disk, 'guardkit-home-'));
    const cache = mkdtempSync(join(tmpdir(), 'guardkit-cache-'));
    try {
      mkdirSync(join(home, '.npm/_cacache'), { recursive: true });
      writeFileSync(join(home, '.npm/_cacache/package'), 'content');
      await returnDownloads(home, cache, 'base');
      expect(existsSync(join(home, '.npm/_cacache'))).toBe(false);
      expect(readdirSync(join(cache, '.npm'))).toEqual(['_cacache']);
      await takeDownloads(home, cache, 'base');
      expect(readFileSync(join(home, '.npm/_cacache/package'), 'utf8')).toBe('content');
      expect(existsSync(join(cache, '.npm/_cacache'))).toBe(false);
    } finally {
      for (const folder of [home, cache]) rmSync(folder, { recursive: true });
    }
  });

  it('of a candidate are never kept', async () => {
    const home = mkdtempSync(join(isElsewhere ? MEMORY : tmpdir(), 'guardkit-home-'));
    const cache = mkdtempSync(join(tmpdir(), 'guardkit-cache-'));
    try {
      mkdirSync(join(home, '.npm/_cacache'), { recursive: true });
      writeFileSync(join(home, '.npm/_cacache/package'), 'planted');
      await returnDownloads(home, cache, 'other');
      expect(existsSync(join(cache, '.npm/_cacache'))).toBe(false);
    } finally {
      for (const folder of [home, cache]) rmSync(folder, { recursive: true });
    }
  });

  it.each(['base', 'other'] as const)('of npm stay for packages that npx starts again, of %s', async (by) => {
    const home = mkdtempSync(join(tmpdir(), 'guardkit-home-'));
    const cache = mkdtempSync(join(tmpdir(), 'guardkit-cache-'));
    try {
      mkdirSync(join(home, '.npm/_cacache'), { recursive: true });
      writeFileSync(join(home, '.npm/_cacache/package'), 'content');
      mkdirSync(join(home, '.npm/_npx/1a/node_modules'), { recursive: true });
      await returnDownloads(home, cache, by);
      expect(readFileSync(join(home, '.npm/_cacache/package'), 'utf8')).toBe('content');
      expect(existsSync(join(cache, '.npm/_cacache/package'))).toBe(by === 'base');
    } finally {
      for (const folder of [home, cache]) rmSync(folder, { recursive: true });
    }
  });
});
