import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bringBack, copyOf } from '../../../src/enforcement/restore/bring-back.ts';
import { listRestorable, type Restorable } from '../../../src/enforcement/restore/list-restorable.ts';
import { PROJECT } from '../../store/ledger/ledger-fixture.ts';
import { runs } from '../../support/thorough.ts';
import { type RestoreGround, restoreGround } from './restore-fixture.ts';

function newest(ground: RestoreGround): Restorable {
  const [first] = listRestorable(ground.ledger, PROJECT);
  if (!first) throw new Error('nothing to restore');
  return first;
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o7777;
}

describe('restoring a version', () => {
  it('restores content and mode, and keeps the replaced version with its mode', () => {
    const ground = restoreGround();
    const hook = ground.at('pre-commit');
    writeFileSync(hook, 'mine\n');
    chmodSync(hook, 0o755);
    ground.keep('pre-commit');
    writeFileSync(hook, 'newer\n');
    chmodSync(hook, 0o640);

    expect(bringBack(ground, newest(ground), 'Ada')).toMatchObject({ changed: true, mode: 0o755 });
    expect([readFileSync(hook, 'utf8'), modeOf(hook)]).toEqual(['mine\n', 0o755]);

    // The same command undoes it.
    expect(newest(ground)).toMatchObject({ reason: 'person', mode: 0o640 });
    bringBack(ground, newest(ground), 'Ada');
    expect([readFileSync(hook, 'utf8'), modeOf(hook)]).toEqual(['newer\n', 0o640]);
  });

  it('any bytes and any mode survive a round trip', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 0o777 }), (bytes, mode) => {
        const ground = restoreGround();
        const file = ground.at('a');
        writeFileSync(file, bytes);
        chmodSync(file, mode);
        ground.keep('a');
        rmSync(file, { force: true });
        writeFileSync(file, 'other');
        const version = newest(ground);
        // Only root can read a file without permission; otherwise it is moved and has no content hash.
        bringBack(ground, version, 'Ada');
        expect(modeOf(file)).toBe(mode);
        chmodSync(file, 0o600);
        expect(readFileSync(file)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: runs(40) },
    );
  });

  it('a link is restored as a link, and its target is never written', () => {
    const ground = restoreGround();
    writeFileSync(ground.at('target'), 'target\n');
    symlinkSync('target', ground.at('link'));
    ground.keep('link');
    rmSync(ground.at('link'));
    writeFileSync(ground.at('link'), 'a file\n');
    bringBack(ground, newest(ground), 'Ada');
    expect(readlinkSync(ground.at('link'))).toBe('target');
    bringBack(ground, newest(ground), 'Ada');
    expect(readFileSync(ground.at('link'), 'utf8')).toBe('a file\n');
    expect(readFileSync(ground.at('target'), 'utf8')).toBe('target\n');
  });

  it('a folder is restored with its files, links and modes', () => {
    const ground = restoreGround();
    mkdirSync(ground.at('skills/pdf'), { recursive: true });
    writeFileSync(ground.at('skills/pdf/run.sh'), 'echo\n', { mode: 0o755 });
    symlinkSync('run.sh', ground.at('skills/pdf/latest'));
    chmodSync(ground.at('skills'), 0o750);
    ground.keep('skills');
    rmSync(ground.at('skills'), { recursive: true });
    bringBack(ground, newest(ground), 'Ada');
    expect(modeOf(ground.at('skills'))).toBe(0o750);
    expect(modeOf(ground.at('skills/pdf/run.sh'))).toBe(0o755);
    expect(readlinkSync(ground.at('skills/pdf/latest'))).toBe('run.sh');
  });

  it('a version without the file removes it, and keeps the removed file', () => {
    const ground = restoreGround();
    ground.keep('gone.md');
    writeFileSync(ground.at('gone.md'), 'recreated\n');
    const { kept } = bringBack(ground, newest(ground), 'Ada');
    expect(existsSync(ground.at('gone.md'))).toBe(false);
    expect(readFileSync(join(ground.dataFolder, 'quarantine', String(kept)), 'utf8')).toBe('recreated\n');
  });

  it('does nothing if the file already has this version', () => {
    const ground = restoreGround();
    writeFileSync(ground.at('a'), 'same\n', { mode: 0o644 });
    chmodSync(ground.at('a'), 0o644);
    ground.keep('a');
    expect(bringBack(ground, newest(ground), 'Ada').changed).toBe(false);
    expect(listRestorable(ground.ledger, PROJECT)).toHaveLength(1);
  });

  it('an altered copy is refused, and the file stays', () => {
    const ground = restoreGround();
    writeFileSync(ground.at('a'), 'mine\n');
    ground.keep('a');
    writeFileSync(ground.at('a'), 'newer\n');
    writeFileSync(String(copyOf(ground.dataFolder, newest(ground))), 'forged\n');
    expect(() => bringBack(ground, newest(ground), 'Ada')).toThrow(
      expect.objectContaining({ code: 'restore.copy-unusable' }),
    );
    expect(readFileSync(ground.at('a'), 'utf8')).toBe('newer\n');
  });

  it('a version that a person restores counts as accepted', () => {
    const ground = restoreGround();
    writeFileSync(ground.at('a'), 'mine\n');
    ground.keep('a');
    rmSync(ground.at('a'));
    bringBack(ground, newest(ground), 'Ada');
    const [entry] = ground.ledger.entries(PROJECT, { kind: 'acceptance_recorded' });
    expect(entry?.body).toMatchObject({
      path: 'a',
      by: 'Ada',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('the list of versions', () => {
  it('is newest first, and includes versions of earlier GuardKit versions', () => {
    const ground = restoreGround();
    ground.ledger.append(PROJECT, 'violation_recorded', {
      session: 's',
      agent: 'claude',
      agent_type: null,
      guard: 'protected-set',
      what: 'changed',
      path: 'tasks/a.md',
      before_hash: null,
      found_hash: 'a'.repeat(64),
      quarantined: `${PROJECT}/old`,
      restored: true,
      action: null,
    });
    writeFileSync(ground.at('b'), 'b\n');
    ground.keep('b');
    const git = { root: ground.checkout, gitDir: '', commonDir: '', name: 'shop', shallow: false };
    expect(listRestorable(ground.ledger, PROJECT, git)).toMatchObject([
      { path: 'b', reason: 'no-sandbox' },
      { path: 'tasks/a.md', absolute: ground.at('tasks/a.md'), reason: 'earlier-version', mode: null },
    ]);
  });

  it('leaves out refused commands, which kept nothing', () => {
    const ground = restoreGround();
    ground.ledger.append(PROJECT, 'violation_recorded', {
      session: 's',
      agent: 'claude',
      agent_type: null,
      guard: 'person-only',
      what: 'refused',
      path: 'guardkit accept',
      before_hash: null,
      found_hash: null,
      quarantined: null,
      restored: true,
      action: null,
    });
    expect(listRestorable(ground.ledger, PROJECT)).toEqual([]);
  });
});
