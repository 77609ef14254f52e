import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  explainRefusal,
  findBubblewrap,
  findSandbox,
  proveSandbox,
} from '../../../src/platform/sandbox/find-sandbox.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A program that would claim to be the sandbox. */
function impostor(script: string): string {
  const program = join(temporaryFolder(), 'bwrap');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

describe('the sandbox of this machine', () => {
  it('is found in a folder of the system, with its version', async (context) => {
    expect(await bubblewrap(context)).toEqual({
      available: true,
      kind: 'bubblewrap',
      program: expect.stringMatching(/^\/.*\/bwrap$/),
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  it('is looked for once', () => {
    expect(findSandbox()).toBe(findSandbox());
  });

  it('is never a program that a candidate put on the PATH', () => {
    const program = impostor('echo in');
    const folder = join(program, '..');
    expect(findBubblewrap(`${folder}:/usr/bin`)).not.toBe(program);
    expect(findBubblewrap(folder)).toBe(findBubblewrap(undefined));
    if (!existsSync('/usr/bin/bwrap') && !existsSync('/bin/bwrap'))
      expect(findBubblewrap(folder)).toBeUndefined();
  });

  it('that does not work is not available, with its own words', async () => {
    const program = impostor('echo "bwrap: No permissions to create a new namespace" >&2; exit 1');
    expect(await proveSandbox(program)).toMatchObject({
      available: false,
      why: expect.stringContaining('No permissions to create a new namespace'),
      hint: expect.any(String),
    });
  });

  it('that claims success but runs nothing is not available', async () => {
    expect(await proveSandbox(impostor('exit 0'))).toMatchObject({ available: false });
  });

  it('that is gone is not available', async () => {
    expect(await proveSandbox('/no/such/bwrap')).toMatchObject({ available: false });
  });
});

describe('a sandbox that cannot be used', () => {
  const said = 'bwrap: setting up uid map: Permission denied\n';

  it('reports which setting forbids it and how to change it', () => {
    expect(explainRefusal(said, { maxUserNamespaces: '0' })).toEqual({
      why: expect.stringContaining('user.max_user_namespaces'),
      hint: expect.stringContaining('sysctl -w user.max_user_namespaces='),
    });
    expect(explainRefusal(said, { unprivilegedClone: '0', maxUserNamespaces: '96373' }).hint).toContain(
      'kernel.unprivileged_userns_clone=1',
    );
    const appArmor = explainRefusal(said, { appArmorRestricts: '1', maxUserNamespaces: '96373' });
    expect(appArmor.why).toContain('AppArmor');
    expect(appArmor.hint).toContain('/etc/apparmor.d/bwrap');
  });

  it('reports what a container needs if no setting explains it', () => {
    const words = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
    expect(explainRefusal(words, { maxUserNamespaces: '96373' })).toEqual({
      why: expect.stringContaining(words),
      hint: expect.stringContaining('container'),
    });
  });

  it('reports when it is too old', () => {
    expect(explainRefusal('bwrap: Unknown option --perms', {}).hint).toContain('0.5');
  });

  it('does not guess where nothing is known', () => {
    expect(explainRefusal('', {}).why).toMatch(/\S/);
    expect(explainRefusal('bwrap: out of memory', {}).why).toContain('out of memory');
  });
});
