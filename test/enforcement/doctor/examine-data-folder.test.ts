import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examineDataFolder } from '../../../src/enforcement/doctor/examine-data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a data folder', () => {
  it.each(['', 'not/there/yet'])(
    'in which can be written is not told of, and stays as it was: %s',
    (inside) => {
      expect(examineDataFolder(join(folder, inside))).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.each([
    ['that nobody can make', '/sys/guardkit', '/sys'],
    ['in which nobody can write', '/proc', '(E'],
  ])('%s fails before the first use, with a way out', (_which, path, found) => {
    const [check] = examineDataFolder(path);
    expect(check).toMatchObject({ id: 'data', outcome: 'fail' });
    expect(check?.found).toContain(found);
    expect(check?.hint).toContain('GUARDKIT_HOME');
  });

  it('that has a file or a link to nowhere in its way fails', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    mkdirSync(join(folder, 'fine'));
    expect(examineDataFolder(join(folder, 'file', 'data'))[0]?.found).toContain('(ENOTDIR)');
    expect(examineDataFolder(join(folder, 'link'))[0]?.found).toContain('(ENOENT)');
    expect(examineDataFolder(join(folder, 'fine', 'data'))).toEqual([]);
  });
});
