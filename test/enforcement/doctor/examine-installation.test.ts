import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examineDataFolder } from '../../../src/enforcement/doctor/examine-installation.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a data folder', () => {
  it.each(['', 'not/there/yet'])('that is writable is not reported, and stays unchanged: %s', (inside) => {
    expect(examineDataFolder(join(folder, inside))).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['that cannot be created', '/sys/guardkit', '/sys'],
    ['that is not writable', '/proc', '(E'],
  ])('%s fails before the first use, with a hint', (_which, path, found) => {
    const [check] = examineDataFolder(path);
    expect(check).toMatchObject({ id: 'data', outcome: 'fail' });
    expect(check?.found).toContain(found);
    expect(check?.hint).toContain('GUARDKIT_HOME');
  });

  it('fails if a file or a dangling link blocks its path', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    mkdirSync(join(folder, 'fine'));
    expect(examineDataFolder(join(folder, 'file', 'data'))[0]?.found).toContain('(ENOTDIR)');
    expect(examineDataFolder(join(folder, 'link'))[0]?.found).toContain('(ENOENT)');
    expect(examineDataFolder(join(folder, 'fine', 'data'))).toEqual([]);
  });
});
