import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isShellUsed } from '../../../src/enforcement/install/agent-wirings.ts';
import { hookedEvents, ownHooks, withHooks } from '../../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand, sharedHookCommand } from '../../../src/enforcement/install/hook-launcher.ts';
import { LOCAL_SETTINGS, SHARED_SETTINGS } from '../../../src/enforcement/install/settings-file.ts';
import { planUnwiring, planWiring } from '../../../src/enforcement/install/wire-claude.ts';
import {
  planShell,
  planShellRemoval,
  type ShellWiring,
} from '../../../src/enforcement/install/wire-shell.ts';
import { readPreviousSettings } from '../../../src/enforcement/shell/previous-settings.ts';
import { shellFolder } from '../../../src/enforcement/shell/shell-folder.ts';
import { tryInstalledShell, tryShell } from '../../../src/enforcement/shell/try-shell.ts';
import { shellPrefix, shellTier } from '../../../src/enforcement/shell/write-launcher.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { WrappedProject } from '../shell/wrapped-project.ts';

const PREFIX = 'CLAUDE_CODE_SHELL_PREFIX';
const FAILED: ShellWiring = { ok: false, why: 'no sandbox', install: 'install one' };

beforeEach(async (context) => {
  await bubblewrap(context);
});

class Wiring extends WrappedProject {
  async plan(env: NodeJS.ProcessEnv = {}): Promise<ShellWiring> {
    return planShell({
      git: this.gitFolder,
      dataFolder: this.data,
      env: { ...this.env(), ...env },
      home: this.home,
      claudeHome: join(this.home, '.claude'),
    });
  }

  wire(shell: ShellWiring, shared?: boolean): void {
    const launcher = { node: process.execPath, program: '/x', dataFolder: this.data };
    for (const step of planWiring({ root: this.folder, launcher, shared, shell })) step.perform();
  }

  unwire(): void {
    const shell = { git: this.gitFolder, dataFolder: this.data };
    const steps = [
      ...planUnwiring(this.folder, shell),
      ...planShellRemoval(shell.git, shell.dataFolder, isShellUsed(shell.git, shell.dataFolder, ['claude'])),
    ];
    for (const step of steps) step.perform();
  }

  settings(name = LOCAL_SETTINGS) {
    return existsSync(this.path(name)) ? JSON.parse(this.read(name)) : undefined;
  }

  set(path: string, value: unknown): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  }

  get prefix(): string {
    return shellPrefix(this.data, this.gitFolder);
  }
}

describe('installing with a sandbox', () => {
  it('writes the prefix, hooks that it does not wrap, and disableAllHooks: false', async () => {
    const one = new Wiring();
    const shell = await one.plan();
    expect(shell).toMatchObject({ ok: true, prefix: one.prefix });
    expect(existsSync(join(one.data, 'shell'))).toBe(false);
    one.wire(shell);
    expect(one.settings()).toMatchObject({ env: { [PREFIX]: one.prefix }, disableAllHooks: false });
    expect(ownHooks(one.settings()).every(({ handler }) => handler.args?.[0] === 'claude')).toBe(true);
    expect(one.run('echo x > tasks/TASK-1.md').status).toBe(1);
    expect(shellTier({ [PREFIX]: one.prefix }, one.data, one.gitFolder)).toEqual({ tier: 'kernel' });
    expect(await tryInstalledShell(one.shellContext(), one.env())).toEqual({ ok: true });
  });

  it('can be undone byte for byte', async () => {
    const one = new Wiring();
    const own = '{\n   "env": {"A":  "1"},\n   "model": "x"\n}\n';
    one.write(LOCAL_SETTINGS, own);
    one.wire(await one.plan());
    expect(one.settings().env).toEqual({ A: '1', [PREFIX]: one.prefix });
    one.wire(await one.plan());
    one.unwire();
    expect(one.read(LOCAL_SETTINGS)).toBe(own);
    expect(existsSync(shellFolder(one.data, one.gitFolder).path)).toBe(false);
  });

  it('keeps a person’s own "disableAllHooks": false', async () => {
    const one = new Wiring();
    one.write(LOCAL_SETTINGS, '{"disableAllHooks":false}');
    one.wire(await one.plan());
    one.wire(await one.plan());
    one.unwire();
    expect(one.settings()).toEqual({ disableAllHooks: false });
  });

  it.each([
    ['local', { local: '/p/mine -x', home: '/p/home' }, '/p/mine -x'],
    ['home', { home: '/p/home' }, '/p/home'],
    ['environment', { environment: '/p/env' }, '/p/env'],
  ] as const)('chains a prefix from %s, and restores it on removal', async (from, set, expected) => {
    const one = new Wiring();
    const given: { local?: string; home?: string; environment?: string } = set;
    if (given.local) one.write(LOCAL_SETTINGS, JSON.stringify({ env: { [PREFIX]: given.local } }));
    if (given.home) one.set(join(one.home, '.claude/settings.json'), { env: { [PREFIX]: given.home } });
    const env = given.environment ? { [PREFIX]: given.environment } : {};
    one.wire(await one.plan(env));
    one.wire(await one.plan(env));
    expect(readPreviousSettings(one.data, one.gitFolder)).toMatchObject({ from, prefix: expected });
    expect(readFileSync(one.launcher, 'utf8')).toContain('/p/');
    one.unwire();
    expect(one.settings()?.env).toEqual(given.local ? { [PREFIX]: given.local } : undefined);
  });

  it('upgrades hooks that run through a shell', async () => {
    const one = new Wiring();
    one.write(LOCAL_SETTINGS, JSON.stringify(withHooks({}, ownHookCommand(one.data, 'claude'))));
    expect(ownHooks(one.settings())[0]?.handler.args).toBeUndefined();
    const before = hookedEvents(one.settings());
    one.wire(await one.plan());
    expect(hookedEvents(one.settings())).toEqual(before);
    expect(ownHooks(one.settings()).every(({ handler }) => handler.args !== undefined)).toBe(true);
    expect(ownHooks(one.settings())).toHaveLength(before.length);
  });

  it('writes no prefix to a team’s file, and gives this person own hooks', async () => {
    const one = new Wiring();
    one.wire(await one.plan(), true);
    expect(one.settings(SHARED_SETTINGS).env).toBeUndefined();
    expect(ownHooks(one.settings(SHARED_SETTINGS))[0]?.handler.command).toBe(
      sharedHookCommand('claude').beginning,
    );
    expect(hookedEvents(one.settings())).toEqual(hookedEvents(one.settings(SHARED_SETTINGS)));
  });

  it('removes the prefix if the sandbox no longer works', async () => {
    const one = new Wiring();
    one.wire(await one.plan());
    one.wire(FAILED);
    expect(one.settings().env).toBeUndefined();
    expect(one.settings().disableAllHooks).toBeUndefined();
    expect(hookedEvents(one.settings()).length).toBeGreaterThan(0);
    expect(shellTier({}, one.data, one.gitFolder)).toMatchObject({ tier: 'none' });
  });

  it('keeps the launcher while another checkout uses it', async () => {
    const one = new Wiring();
    one.wire(await one.plan());
    const tree = join(one.top, 'tree');
    one.git('worktree', 'add', '-q', tree);
    one.set(join(tree, LOCAL_SETTINGS), { env: { [PREFIX]: one.prefix } });
    one.unwire();
    expect(existsSync(one.launcher)).toBe(true);
  });
});

describe('the trial of a sandbox', () => {
  it('passes with the mounts of the repository, and leaves nothing behind', async () => {
    const one = new Wiring();
    expect(await tryShell(one.shellContext(), one.env())).toEqual({ ok: true });
    expect(one.git('status', '--porcelain').trim()).toBe('?? tasks/TASK-2.md');
    expect(existsSync(join(one.data, 'shell'))).toBe(false);
  });

  it('reports a missing launcher', async () => {
    const one = new Wiring();
    one.refresh();
    rmSync(one.launcher);
    expect(await tryInstalledShell(one.shellContext(), one.env())).toMatchObject({ ok: false });
    expect(shellTier({ [PREFIX]: one.prefix }, one.data, one.gitFolder).tier).toBe('none');
    expect(shellTier({ [PREFIX]: '/x' }, one.data, one.gitFolder).tier).toBe('none');
  });
});
