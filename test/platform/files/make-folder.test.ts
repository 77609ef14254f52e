import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../src/platform/files/make-folder.ts';

describe('makeFolder', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'guardkit-make-folder-'));

  test('creates missing parents and accepts a folder that exists', () => {
    const path = join(folder(), 'a', 'b', 'c');
    makeFolder(path, 0o700);
    makeFolder(path, 0o700);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('refuses a path below a file, and a file', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(join(file, 'a'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  });

  test.skipIf(!existsSync('/proc/self'))('ends with an error where no folder can be created (/proc)', () => {
    expect(() => makeFolder('/proc/nope')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => makeFolder('/proc/nope/a/b')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
