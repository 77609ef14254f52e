import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { holdPlaceholders, resolvePolicy } from '../../../src/platform/sandbox/resolve-policy.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox-policy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;
let work: string;
beforeEach(({ onTestFinished }) => {
  root = temporaryFolder(onTestFinished);
  work = join(root, 'work');
  mkdirSync(join(work, '.guardkit'), { recursive: true });
  writeFileSync(join(work, 'file'), '');
});

function resolve(policy: Partial<SandboxPolicy>) {
  return resolvePolicy({ writable: [work], readOnly: [], hidden: [], network: 'loopback', ...policy });
}

describe('a policy', () => {
  it('is resolved to real paths', () => {
    symlinkSync(work, join(root, 'link'));
    const { entries, replaceable } = resolve({
      writable: [join(root, 'link')],
      readOnly: [join(root, 'link/.guardkit')],
      hidden: [join(root, 'link/./x/../file')],
    });
    expect(entries).toEqual([
      { path: work, access: 'writable', folder: true },
      { path: join(work, '.guardkit'), access: 'read-only', folder: true },
      { path: join(work, 'file'), access: 'hidden', folder: false },
    ]);
    // The command cannot write to the link's folder.
    expect(replaceable).toEqual([]);
  });

  it('lists protected paths behind a link that the command could replace', () => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync('../elsewhere', join(work, '.claude'));
    const path = join(work, '.claude');
    expect(resolve({ readOnly: [path] })).toMatchObject({
      entries: [{}, { path: join(root, 'elsewhere'), access: 'read-only' }],
      replaceable: [path],
    });
  });

  it('follows a link to nothing to where something would appear', () => {
    symlinkSync('later', join(work, 'link'));
    expect(resolve({ readOnly: [join(work, 'link')] }).placeholders).toEqual([
      { path: join(work, 'later'), folder: false },
    ]);
  });

  it('does not follow links in a circle', () => {
    symlinkSync('b', join(work, 'a'));
    symlinkSync('a', join(work, 'b'));
    expect(resolve({ readOnly: [join(work, 'a')] })).toEqual({
      entries: [{ path: work, access: 'writable', folder: true }],
      placeholders: [],
      replaceable: [join(work, 'a')],
    });
    expect(() => resolve({ writable: [join(work, 'a')] })).toThrow(
      expect.objectContaining({ code: 'sandbox.no-folder' }),
    );
  });

  it('requires writable paths to exist', () => {
    expect(() => resolve({ writable: [join(root, 'none')] })).toThrow(
      expect.objectContaining({ code: 'sandbox.no-folder', kind: 'outside' }),
    );
  });

  it.each(['/', '/proc/sys/kernel', '/dev', '/sys/fs/cgroup'])('cannot open %s', (path) => {
    expect(() => resolve({ writable: [path] })).toThrow(
      expect.objectContaining({ code: 'sandbox.reserved-path', kind: 'input' }),
    );
  });

  it('cares about a missing protected path only where it could appear', () => {
    expect(resolve({ readOnly: [join(root, 'none')], hidden: [join(root, 'neither')] })).toMatchObject({
      entries: [{ path: work }],
      placeholders: [],
    });
  });

  it('keeps a file in its place where a protected path would need a folder', () => {
    expect(resolve({ readOnly: [join(work, 'file/settings.json')] })).toMatchObject({
      entries: [{}, { path: join(work, 'file'), access: 'read-only', folder: false }],
      placeholders: [],
    });
  });
});

describe('places that are held', () => {
  it('are there, empty, and gone afterwards with the folders made for them', () => {
    const release = holdPlaceholders([
      { path: join(work, 'a/b/file'), folder: false },
      { path: join(work, 'a/hooks'), folder: true },
    ]);
    expect(readdirSync(work, { recursive: true }).sort()).toEqual([
      '.guardkit',
      'a',
      'a/b',
      'a/b/file',
      'a/hooks',
      'file',
    ]);
    release();
    expect(readdirSync(work).sort()).toEqual(['.guardkit', 'file']);
  });

  it('are left if somebody filled them meanwhile', () => {
    const release = holdPlaceholders([{ path: join(work, 'a/file'), folder: false }]);
    writeFileSync(join(work, 'a/file'), 'mine');
    release();
    expect(readdirSync(join(work, 'a'))).toEqual(['file']);
  });

  it('leave existing files', () => {
    holdPlaceholders([
      { path: join(work, 'file'), folder: false },
      { path: join(work, '.guardkit'), folder: true },
    ])();
    expect(readdirSync(work).sort()).toEqual(['.guardkit', 'file']);
  });
});
