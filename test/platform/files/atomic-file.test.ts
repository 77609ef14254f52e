import {
  chmodSync,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtomicFile, writeFileAtomic } from '../../../src/platform/files/atomic-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guardkit-atomic-'));
  file = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an atomic file', () => {
  it('replaces a file atomically, and leaves no temporary file', () => {
    writeFileAtomic(file, 'old');
    writeFileAtomic(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('shows readers the old content until it is complete, so that a crash leaves the old file', () => {
    writeFileAtomic(file, 'old');
    const unfinished = new AtomicFile(file);
    unfinished.write('half of the n');
    expect(readFileSync(file, 'utf8')).toBe('old');
    unfinished.write('ew');
    unfinished.commit();
    expect(readFileSync(file, 'utf8')).toBe('half of the new');
  });

  it('that was given up leaves nothing', () => {
    const unfinished = new AtomicFile(file);
    unfinished.write('half');
    unfinished.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that cannot be renamed leaves the old file and no temporary one', () => {
    mkdirSync(file);
    expect(() => writeFileAtomic(file, 'text')).toThrow(/EISDIR|EEXIST|ENOTEMPTY/);
    expect(readdirSync(folder)).toEqual(['state.json']);
    expect(statSync(file).isDirectory()).toBe(true);
  });

  it('makes the folders on the way', () => {
    const deep = join(folder, 'a', 'b', 'c.txt');
    writeFileAtomic(deep, 'x');
    expect(existsSync(deep)).toBe(true);
  });

  it('has the requested mode, not the old one', () => {
    writeFileSync(file, 'old');
    chmodSync(file, 0o666);
    writeFileAtomic(file, 'secret', 0o600);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('stores long texts and every character', () => {
    const text = 'ä日🎉\n'.repeat(200_000);
    writeFileAtomic(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('of two writers at once is one or the other, never a mixture', () => {
    const first = new AtomicFile(file);
    const second = new AtomicFile(file);
    first.write('first '.repeat(1000));
    second.write('second '.repeat(1000));
    second.commit();
    first.commit();
    expect(readFileSync(file, 'utf8')).toBe('first '.repeat(1000));
    expect(readdirSync(folder)).toEqual(['state.json']);
  });
});
