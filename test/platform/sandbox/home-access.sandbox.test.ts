import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withHomeAccess } from '../../../src/platform/sandbox/home-access.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox-policy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let home: string;
beforeEach(({ onTestFinished }) => {
  home = temporaryFolder(onTestFinished);
});

const NOTHING: SandboxPolicy = { writable: [], readOnly: [], hidden: [], network: 'loopback' };

function access(env: NodeJS.ProcessEnv = {}, policy: Partial<SandboxPolicy> = {}) {
  const { writable, hidden } = withHomeAccess({ ...NOTHING, ...policy }, { HOME: home, PATH: '', ...env });
  return { writable, hidden: hidden.filter((path) => path.startsWith(home)) };
}

function make(...folders: string[]): void {
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
}

describe('in the home folder', () => {
  it('existing caches are writable, their neighbours are not', () => {
    make('.cache', '.npm/_cacache', '.npm/_npx', 'go/pkg', 'go/bin', '.rustup', '.cargo/bin');
    expect(access().writable).toEqual(['.cache', '.npm/_cacache', 'go/pkg'].map((name) => join(home, name)));
  });

  it('a missing cache is made for a tool that is there, and for no other', () => {
    make('bin');
    writeFileSync(join(home, 'bin/cargo'), '#!/bin/sh\n', { mode: 0o755 });
    const { writable } = access({ PATH: `relative:/no/such/folder:${join(home, 'bin')}` });
    expect(writable).toEqual(['.cargo/registry', '.cargo/git'].map((name) => join(home, name)));
    expect(existsSync(join(home, 'go'))).toBe(false);
  });

  it('a cache that a person has elsewhere is writable there', () => {
    make('elsewhere/registry', '.cargo/registry', 'mine');
    const env = { CARGO_HOME: join(home, 'elsewhere'), XDG_CACHE_HOME: join(home, 'mine') };
    expect(access(env).writable).toEqual([join(home, 'mine'), join(home, 'elsewhere/registry')]);
  });

  it.each([
    ['the home folder itself', '.'],
    ['a folder above it', '..'],
    ['the root', '/'],
  ])('a cache configured as %s opens nothing', (_, place) => {
    const path = place === '/' ? '/' : join(home, place);
    expect(access({ XDG_CACHE_HOME: path }).writable).toEqual([]);
  });

  it('credentials that exist are hidden, whether files or folders', () => {
    make('.ssh', '.aws', '.claude', '.config/gh', '.config/other');
    for (const file of ['.netrc', '.npmrc', '.gitconfig']) writeFileSync(join(home, file), '');
    expect(access().hidden.sort()).toEqual(
      ['.aws', '.claude', '.config/gh', '.netrc', '.ssh'].map((name) => join(home, name)),
    );
  });

  it('paths of the policy itself take precedence', () => {
    make('.claude', '.cache');
    const said = access({}, { writable: [join(home, '.claude')], hidden: [join(home, '.cache')] });
    expect(said).toEqual({ writable: [join(home, '.claude')], hidden: [join(home, '.cache')] });
  });

  it('nothing is special without a home folder', () => {
    for (const HOME of [undefined, '', '/', '/no/such/home'])
      expect(access({ HOME })).toEqual({ writable: [], hidden: [] });
  });
});
