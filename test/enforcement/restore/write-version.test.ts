import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keepVersion, quarantineFolder } from '../../../src/enforcement/restore/keep-version.ts';
import { writeVersion } from '../../../src/enforcement/restore/write-version.ts';
import { restoreGround } from './restore-fixture.ts';

describe('writing a version', () => {
  it('replaces a link instead of following it', () => {
    const { at } = restoreGround();
    writeFileSync(at('elsewhere'), 'untouched\n');
    symlinkSync(at('elsewhere'), at('settings.json'));
    writeVersion(at('settings.json'), { kind: 'file', content: Buffer.from('{}\n'), mode: 0o600 });
    expect(lstatSync(at('settings.json')).isFile()).toBe(true);
    expect(lstatSync(at('settings.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('elsewhere'), 'utf8')).toBe('untouched\n');
  });

  it('refuses a path below a link, if it must stay within a folder', () => {
    const { at, checkout } = restoreGround();
    mkdirSync(at('outside'));
    symlinkSync(at('outside'), at('.claude'));
    const write = () =>
      writeVersion(
        at('.claude/settings.json'),
        { kind: 'file', content: Buffer.from('{}'), mode: 0o644 },
        { within: checkout },
      );
    expect(write).toThrow(expect.objectContaining({ code: 'restore.not-a-folder' }));
    expect(readdirSync(at('outside'))).toEqual([]);
  });

  it('creates missing folders and leaves no temporary file', () => {
    const { at, checkout } = restoreGround();
    const version = { kind: 'file', content: Buffer.from('x'), mode: 0o644 } as const;
    writeVersion(at('a/b/c'), version, { within: checkout, folderModes: new Map([[at('a'), 0o700]]) });
    expect(readdirSync(at('a/b'))).toEqual(['c']);
    expect(lstatSync(at('a')).mode & 0o777).toBe(0o700);
  });
});

describe('keeping a version', () => {
  it('a large file is copied, not moved', () => {
    const { at, dataFolder, project } = restoreGround();
    writeFileSync(at('large'), Buffer.alloc(70 * 1024 * 1024, 7));
    const kept = keepVersion({ dataFolder, project }, { absolute: at('large'), shown: 'large', mode: 0o644 });
    expect(lstatSync(`${quarantineFolder(dataFolder)}/${kept.quarantined}`).size).toBe(70 * 1024 * 1024);
    expect(lstatSync(at('large')).size).toBe(70 * 1024 * 1024);
    expect(kept.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
