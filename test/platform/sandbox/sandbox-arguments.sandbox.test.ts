import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldersAbove, isInside } from '../../../src/platform/files/path-inside.ts';
import { sandboxArguments } from '../../../src/platform/sandbox/sandbox-arguments.ts';
import type { Access, SandboxEntry, SandboxPolicy } from '../../../src/platform/sandbox/sandbox-policy.ts';

const SYSTEM = { privateFolders: ['/tmp'], kept: [] };

function argumentsFor(entries: SandboxEntry[], network: SandboxPolicy['network'] = 'loopback'): string[] {
  return sandboxArguments({ entries, system: SYSTEM, network, cwd: '/w' });
}

/** The mounts of the policy, as lines, without those that every sandbox has. */
function mountsOf(...entries: SandboxEntry[]): string[] {
  const all = lines(argumentsFor(entries));
  const always = lines(argumentsFor([]));
  return all.filter((line) => !always.includes(line));
}

function lines(args: readonly string[]): string[] {
  return args
    .join(' ')
    .split(/ (?=--)/)
    .map((line) => line.trim());
}

function folder(path: string, access: Access): SandboxEntry {
  return { path, access, folder: true };
}

function file(path: string, access: Access): SandboxEntry {
  return { path, access, folder: false };
}

describe("the sandbox's arguments", () => {
  it('make everything read-only, with private devices, processes and scratch folders', () => {
    expect(argumentsFor([]).join(' ')).toBe(
      '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session ' +
        '--cap-drop ALL --unshare-net --ro-bind / / --dev /dev --proc /proc --perms 1777 --tmpfs /tmp ' +
        '--perms 1777 --tmpfs /dev/shm --ro-bind /proc/sys /proc/sys --chdir /w',
    );
  });

  it('share the network of the machine only if that is asked for', () => {
    expect(argumentsFor([], 'host')).not.toContain('--unshare-net');
  });

  it('open a path inside a hidden one, and hide a path inside that', () => {
    expect(
      mountsOf(
        file('/home/worktrees/f/.env', 'hidden'),
        folder('/home/worktrees/f', 'writable'),
        folder('/home', 'hidden'),
      ),
    ).toEqual([
      '--perms 0555',
      '--tmpfs /home',
      '--bind /home/worktrees/f /home/worktrees/f',
      '--ro-bind /dev/null /home/worktrees/f/.env',
      '--remount-ro /home',
    ]);
  });

  it('mount the folders between on themselves, so that none of them can be renamed', () => {
    expect(mountsOf(folder('/w', 'writable'), file('/w/a/b/settings.json', 'read-only'))).toEqual([
      '--bind /w /w',
      '--bind /w/a /w/a',
      '--bind /w/a/b /w/a/b',
      '--ro-bind /w/a/b/settings.json /w/a/b/settings.json',
    ]);
  });

  it('leave folders that are not writable anyway as they are', () => {
    expect(mountsOf(file('/etc/deep/down/shadow', 'hidden'))).toEqual([
      '--ro-bind /dev/null /etc/deep/down/shadow',
    ]);
  });

  it('apply the stricter of two rules for one path', () => {
    expect(mountsOf(folder('/w', 'hidden'), folder('/w', 'writable'))).toContain('--tmpfs /w');
    expect(mountsOf(folder('/w', 'writable'), folder('/w', 'read-only'))).toEqual(['--ro-bind /w /w']);
  });

  it('let a policy open a scratch folder', () => {
    expect(mountsOf(folder('/tmp', 'writable'))).toEqual(['--bind /tmp /tmp']);
  });

  it('give every path the access of its deepest entry, for any nesting and order', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 })
      .map((names) => `/w/${names.join('/')}`);
    const entry = fc.record({ path, access: fc.constantFrom<Access>('writable', 'read-only', 'hidden') });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: (one) => one.path }), path, (entries, place) => {
        const args = argumentsFor(entries.map((one) => ({ ...one, folder: true })));
        const deepest = entries
          .filter((one) => isInside(place, one.path))
          .sort((a, b) => b.path.length - a.path.length)[0];
        expect(accessAt(args, place)).toBe(deepest?.access ?? 'read-only');
        // No protected path can be moved away: each writable folder above it is a mount.
        const stops = entries.filter((one) => one.access !== 'writable');
        for (const stop of stops)
          for (const above of foldersAbove(stop.path))
            if (accessAt(args, above) === 'writable') expect(args).toContain(above);
      }),
    );
  });
});

/** Mounts as the system would: the last one at or above the place counts. */
function accessAt(args: readonly string[], place: string): Access {
  let access: Access = 'read-only';
  for (const [option = '', source = '', destination = ''] of lines(args).map((line) => line.split(' '))) {
    if (option === '--bind' && isInside(place, destination)) access = 'writable';
    if (option === '--ro-bind' && isInside(place, destination)) access = 'read-only';
    if (option === '--tmpfs' && isInside(place, source)) access = 'hidden';
  }
  return access;
}
