import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { gitSync, remoteEnvironment } from './git-sync.ts';
import { gitEnvironment, SAFE_CONFIG } from './safe-git.ts';

/** A fetch that takes longer is tried again at the next occasion. */
const FETCH_TIMEOUT_MS = 20_000;

/** Enough for what came since the last pull, and quick on any repository. */
const DEPTH = 200;

const REMOTE = 'trusted';

/**
 * Fetches branches of a remote into a repository of our own, which contains nothing else. Only commits, if the server can leave
 * out files. False if the remote does not answer.
 */
export function fetchOwnClone(folder: string, url: string, branches: readonly string[]): boolean {
  if (branches.length === 0 || !makeOwnClone(folder)) return false;
  const settings = [`remote.${REMOTE}.url=${url}`, `remote.${REMOTE}.promisor=true`];
  const { status } = spawnSync(
    'git',
    [
      ...SAFE_CONFIG,
      ...settings.flatMap((setting) => ['-c', setting]),
      ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', `--depth=${DEPTH}`, '--filter=tree:0'],
      ...[
        '--no-recurse-submodules',
        REMOTE,
        ...branches.map((name) => `+refs/heads/${name}:refs/heads/${name}`),
      ],
    ],
    {
      cwd: folder,
      env: { ...remoteEnvironment(), GIT_DIR: folder },
      timeout: FETCH_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      stdio: 'ignore',
    },
  );
  return status === 0;
}

/** All commits that fetches have brought. */
export function commitsInOwnClone(folder: string): ReadonlySet<string> {
  // Not asked for one by one: git would try to fetch a missing one.
  const listed = existsSync(folder) ? gitSync(folder, ['rev-list', '--all']) : undefined;
  return new Set((listed ?? '').split('\n').filter((id) => id !== ''));
}

function makeOwnClone(folder: string): boolean {
  if (existsSync(join(folder, 'HEAD'))) return true;
  makeFolder(join(folder, '..'), 0o700);
  const temporary = `${folder}.${process.pid}.tmp`;
  const made =
    git(['init', '--quiet', '--bare', '--template=', temporary]) &&
    git(['config', '--file', join(temporary, 'config'), 'core.repositoryFormatVersion', '1']) &&
    git(['config', '--file', join(temporary, 'config'), 'extensions.partialClone', REMOTE]);
  try {
    if (made) renameSync(temporary, folder);
  } catch {
    // Safe: another process made it in the meantime, which is checked below.
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return existsSync(join(folder, 'HEAD'));
}

function git(args: readonly string[]): boolean {
  const { status } = spawnSync('git', [...SAFE_CONFIG, ...args], {
    cwd: '/',
    env: gitEnvironment(),
    timeout: FETCH_TIMEOUT_MS,
    stdio: 'ignore',
  });
  return status === 0;
}
