import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyTree } from '../../platform/files/copy-tree.ts';
import { isPlainPath } from '../../platform/files/plain-path.ts';
import { removeTree } from '../../platform/files/remove-tree.ts';

/** Commits that tests make need somebody who makes them; there is nothing else of a person's here. */
const GIT_SETTINGS = `[user]
	name = Developer
	email = developer@localhost
[init]
	defaultBranch = main
`;

/** In-place writes to hard links would change the store that later set-ups take packages from. */
const PNPM_SETTINGS = 'package-import-method=clone-or-copy\n';

/**
 * Folders below a home folder with downloads that package managers check before they use them. Set-ups of the base fill
 * them, others get a copy, tests get none.
 */
const DOWNLOADS = [
  '.npm/_cacache',
  '.local/share/pnpm/store',
  '.cache/pnpm',
  '.cache/yarn',
  '.yarn/berry/cache',
  '.cache/pip',
  '.cache/uv',
  '.cache/pypoetry/cache',
];

/** Downloads that tests need as well; the same holds for them, but they stay in the home folder. */
const SHARED_DOWNLOADS = ['.cargo/registry', 'go/pkg/mod/cache/download'];

/** Makes a workspace's home folder as new; `builds` is where Go keeps what it compiled. */
export function makeWorkspaceHome(home: string, env: NodeJS.ProcessEnv, builds?: string): void {
  removeTree(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.gitconfig'), GIT_SETTINGS);
  write(join(home, '.config/pnpm/rc'), PNPM_SETTINGS);
  const modules = goDownloads(env);
  // Go compares each module with go.sum before it uses it, wherever it comes from.
  const proxy = [
    ...(modules === undefined ? [] : [`file://${modules}`]),
    'https://proxy.golang.org',
    'direct',
  ];
  const settings = [`GOPROXY=${proxy.join(',')}`, 'GOFLAGS=-modcacherw'];
  if (builds !== undefined) settings.push(`GOCACHE=${builds}`);
  write(join(home, '.config/go/env'), `${settings.join('\n')}\n`);
}

/** The modules that the person's own Go has downloaded. */
export function goDownloads(env: NodeJS.ProcessEnv): string | undefined {
  const home = env.HOME?.startsWith('/') ? env.HOME : homedir();
  const path = join(env.GOMODCACHE ?? join(env.GOPATH ?? join(home, 'go'), 'pkg/mod'), 'cache/download');
  return path.startsWith('/') && existsSync(path) ? path : undefined;
}

/**
 * Puts what earlier set-ups downloaded into a home folder. The base's set-up takes the downloads with it and brings them
 * back; any other runs code of the candidate, which must not choose what later set-ups find.
 */
export async function takeDownloads(home: string, cache: string, by: 'base' | 'other'): Promise<void> {
  for (const folder of [...DOWNLOADS, ...SHARED_DOWNLOADS]) {
    const kept = join(cache, folder);
    if (!existsSync(kept)) continue;
    const target = join(home, folder);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if (by === 'base' && DOWNLOADS.includes(folder)) moveIfThere(kept, target);
    else await copyTree(kept, target);
  }
}

/** Takes the downloads out of a home folder after a set-up, to keep them or to drop them. */
export async function returnDownloads(home: string, cache: string, by: 'base' | 'other'): Promise<void> {
  for (const folder of DOWNLOADS) {
    const made = join(home, folder);
    // Behind a link that a set-up made lies something else.
    if (!isPlainPath(home, folder) || !isFilled(made)) continue;
    const kept = join(cache, folder);
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    if (by === 'other' || existsSync(kept) || !moveIfThere(made, kept)) removeTree(made);
  }
  if (by === 'other') return;
  for (const folder of SHARED_DOWNLOADS) {
    const made = join(home, folder);
    if (!isPlainPath(home, folder) || !isFilled(made)) continue;
    const kept = join(cache, folder);
    removeTree(kept);
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    await copyTree(made, kept);
  }
}

/** Another verification may have been faster. */
function moveIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    // Safe: without them everything is downloaded again.
    return false;
  }
}

function isFilled(folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  try {
    return readdirSync(folder).length > 0;
  } catch {
    // Safe: a folder that is not there holds nothing.
    return false;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}
