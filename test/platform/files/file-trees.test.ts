import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyPath, movePath } from '../../../src/platform/files/file-trees.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LINKS = [
  ['nowhere', 'gone'],
  ['to itself', 'link'],
  ['below a file', 'file/below'],
  ['to a folder', 'folder'],
] as const;

function folderWith(target: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), 'text');
  mkdirSync(join(folder, 'folder'));
  symlinkSync(target, join(folder, 'link'));
  return folder;
}

describe('moving', () => {
  it.each(LINKS)('moves a link %s unchanged, and replaces the target', (_, target) => {
    const folder = folderWith(target);
    const to = join(folder, 'a', 'b');
    mkdirSync(join(to, 'old'), { recursive: true });
    movePath(join(folder, 'link'), to);
    expect(readlinkSync(to)).toBe(target);
    expect(readdirSync(folder).sort()).toEqual(['a', 'file', 'folder']);
  });

  it('moves a whole folder over an existing link', () => {
    const folder = folderWith('folder');
    mkdirSync(join(folder, 'from', 'in'), { recursive: true });
    writeFileSync(join(folder, 'from', 'in', 'a'), '1');
    movePath(join(folder, 'from'), join(folder, 'link'));
    expect(readFileSync(join(folder, 'link', 'in', 'a'), 'utf8')).toBe('1');
    expect(lstatSync(join(folder, 'link')).isDirectory()).toBe(true);
    expect(readdirSync(join(folder, 'folder'))).toEqual([]);
    expect(existsSync(join(folder, 'from'))).toBe(false);
  });

  it('fails if the source is missing', () => {
    const folder = temporaryFolder();
    expect(() => movePath(join(folder, 'gone'), join(folder, 'to'))).toThrow('ENOENT');
  });
});

describe('copying to another file system', () => {
  it.each(LINKS)('takes a link %s as it is, by itself and in a folder', (_, target) => {
    const folder = folderWith(target);
    copyPath(join(folder, 'link'), join(folder, 'copy'));
    expect(readlinkSync(join(folder, 'copy'))).toBe(target);
    const other = temporaryFolder();
    copyPath(folder, join(other, 'whole'));
    expect(readlinkSync(join(other, 'whole', 'link'))).toBe(target);
    expect(readFileSync(join(other, 'whole', 'file'), 'utf8')).toBe('text');
  });

  it('skips a pipe, which has no end', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'from'));
    execFileSync('mkfifo', [join(folder, 'from', 'pipe')]);
    writeFileSync(join(folder, 'from', 'a'), '1');
    copyPath(join(folder, 'from'), join(folder, 'to'));
    expect(readdirSync(join(folder, 'to'))).toEqual(['a']);
  });
});
