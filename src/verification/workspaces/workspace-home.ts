import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyTree, removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isPlainPath } from '../../platform/files/path-inside.ts';

/** Commits in tests need an author; nothing else of a person is here. */
const GIT_SETTINGS = `[user]
	name = Developer
	email = developer@localhost
[init]
	defaultBranch = main
`;

/** In-place writes to hard links would change the store that later set-ups take packages from. */
const PNPM_SETTINGS = 'package-import-method=clone-or-copy\n';

const NPM_DOWNLOADS = '.npm/_cacache';

/**
 * Download caches below a home folder that package managers verify before use. Set-ups of the base fill them, others
 * get a copy, tests get none, except those of npm if they start packages through npx.
 */
const DOWNLOADS = [
  NPM_DOWNLOADS,
  '.local/share/pnpm/store',
  '.cache/pnpm',
  '.cache/yarn',
  '.yarn/berry/cache',
  '.cache/pip',
  '.cache/uv',
  '.cache/pypoetry/cache',
];

/** Download caches that tests need as well; they follow the same rules but stay in the home folder. */
const SHARED_DOWNLOADS = ['.cargo/registry', 'go/pkg/mod/cache/download'];

/** Recreates a workspace's home folder; `builds` is Go's build cache. */
export function makeWorkspaceHome(home: string, env: NodeJS.ProcessEnv, builds?: string): void {
  removeTree(home);
  makeFolder(home, 0o700);
  writeFileSync(join(home, '.gitconfig'), GIT_SETTINGS);
  write(join(home, '.config/pnpm/rc'), PNPM_SETTINGS);
  const modules = goDownloads(env);
  // Go compares each module with go.sum before use, wherever it comes from.
  const proxy = [
    ...(modules === undefined ? [] : [`file://${modules}`]),
    'https://proxy.golang.org',
    'direct',
  ];
  const settings = [`GOPROXY=${proxy.join(',')}`, 'GOFLAGS=-modcacherw'];
  if (builds !== undefined) settings.push(`GOCACHE=${builds}`);
  write(join(home, '.config/go/env'), `${settings.join('\n')}\n`);
}

/** The module cache of the person's own Go. */
export function goDownloads(env: NodeJS.ProcessEnv): string | undefined {
  const home = env.HOME?.startsWith('/') ? env.HOME : homedir();
  const path = join(env.GOMODCACHE ?? join(env.GOPATH ?? join(home, 'go'), 'pkg/mod'), 'cache/download');
  return path.startsWith('/') && existsSync(path) ? path : undefined;
}

/**
 * Adds the downloads of earlier set-ups to a home folder. The base's set-up takes the downloads and returns them; any
 * other runs the candidate's code, which must not choose what later set-ups find.
 */
export async function takeDownloads(home: string, cache: string, by: 'base' | 'other'): Promise<void> {
  for (const folder of [...DOWNLOADS, ...SHARED_DOWNLOADS]) {
    const kept = join(cache, folder);
    if (!existsSync(kept)) continue;
    const target = join(home, folder);
    makeFolder(dirname(target), 0o700);
    if (by === 'base' && DOWNLOADS.includes(folder)) await moveIfThere(kept, target);
    else await copyTree(kept, target);
  }
}

/** Whether a set-up ran packages through npx, which looks them up among the downloads before each start. */
export function hasNpxPackages(home: string): boolean {
  return isFilled(join(home, '.npm/_npx'));
}

/** Takes the downloads out of a home folder after a set-up, to keep or drop them. */
export async function returnDownloads(home: string, cache: string, by: 'base' | 'other'): Promise<void> {
  for (const folder of DOWNLOADS) {
    const made = join(home, folder);
    // A set-up may have replaced the folder with a link.
    if (!isPlainPath(home, folder) || !isFilled(made)) continue;
    const kept = join(cache, folder);
    makeFolder(dirname(kept), 0o700);
    if (folder === NPM_DOWNLOADS && hasNpxPackages(home)) {
      if (by === 'base' && !existsSync(kept)) await copyTree(made, kept);
      continue;
    }
    if (by === 'other' || existsSync(kept) || !(await moveIfThere(made, kept))) removeTree(made);
  }
  if (by === 'other') return;
  for (const folder of SHARED_DOWNLOADS) {
    const made = join(home, folder);
    if (!isPlainPath(home, folder) || !isFilled(made)) continue;
    const kept = join(cache, folder);
    removeTree(kept);
    makeFolder(dirname(kept), 0o700);
    await copyTree(made, kept);
  }
}

/** Another verification may have been faster. */
async function moveIfThere(from: string, to: string): Promise<boolean> {
  const copy = `${to}.${randomUUID()}.new`;
  try {
    if (isOnSameDisk(from, dirname(to))) renameSync(from, to);
    else {
      // `worktrees.root` may be on another disk. The copy gets its name once it is complete.
      await copyTree(from, copy);
      renameSync(copy, to);
      removeTree(from);
    }
    return true;
  } catch {
    // Safe: without them everything is downloaded again.
    return false;
  } finally {
    removeTree(copy);
  }
}

function isOnSameDisk(one: string, other: string): boolean {
  return statSync(one).dev === statSync(other).dev;
}

function isFilled(folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  try {
    return readdirSync(folder).length > 0;
  } catch {
    // Safe: a missing folder is empty.
    return false;
  }
}

function write(path: string, text: string): void {
  makeFolder(dirname(path), 0o700);
  writeFileSync(path, text);
}
