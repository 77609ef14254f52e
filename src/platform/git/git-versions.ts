import { isInside } from '../files/path-inside.ts';
import { type GitObject, headerOf, readObjects, treeEntries } from './git-objects.ts';
import { gitSync } from './git-sync.ts';

/** Blob ids by path. */
export type TreeFiles = ReadonlyMap<string, string>;

const ABSENT = /^0+$/;

/**
 * The regular files of a commit or tree below these paths ('' for all); undefined if git fails, or if the commit or one of
 * its folders was replaced in git's folder.
 */
export function filesOf(gitDir: string, commit: string, paths: readonly string[]): TreeFiles | undefined {
  // Asks for most of them at once.
  const names = [commit, `${commit}^{tree}`, ...paths.map((path) => `${commit}:${path}`)];
  const found = readObjects(gitDir, names);
  const objects = new Map(found.flatMap((object) => (object ? [[object.id, object]] : [])));
  const root = treeOf(gitDir, objects, found[0]);
  if (!root) return undefined;
  const files = new Map<string, string>();
  for (let open = [{ folder: '', tree: root }]; open.length > 0; ) {
    const folders: { path: string; id: string }[] = [];
    for (const { folder, tree } of open)
      for (const { mode, name, id } of treeEntries(tree)) {
        const path = folder + name;
        const isWanted = paths.some((one) => one === '' || isInside(path, one));
        if (mode === '40000' && (isWanted || paths.some((one) => one.startsWith(`${path}/`))))
          folders.push({ path, id });
        else if (isWanted && /^100\d{3}$/.test(mode)) files.set(path, id);
      }
    load(
      gitDir,
      objects,
      folders.map(({ id }) => id),
    );
    const next = folders.flatMap(({ path, id }) => {
      const tree = objects.get(id);
      return tree ? [{ folder: `${path}/`, tree }] : [];
    });
    if (next.length < folders.length) return undefined;
    open = next;
  }
  return files;
}

function load(gitDir: string, objects: Map<string, GitObject>, ids: readonly string[]): void {
  const missing = [...new Set(ids)].filter((id) => !objects.has(id));
  for (const object of readObjects(gitDir, missing)) if (object) objects.set(object.id, object);
}

const MAX_TAGS = 5;

/** The tree of a commit, or of the commit that a tag names. */
function treeOf(
  gitDir: string,
  objects: Map<string, GitObject>,
  named: GitObject | undefined,
): GitObject | undefined {
  let object = named;
  for (let count = 0; count <= MAX_TAGS && object && object.type !== 'tree'; count += 1) {
    const id = headerOf(object, object.type === 'commit' ? 'tree' : 'object');
    if (id === undefined || object.type === 'blob') return undefined;
    load(gitDir, objects, [id]);
    object = objects.get(id);
  }
  return object?.type === 'tree' ? object : undefined;
}

/**
 * The earlier versions of these paths in the history of a commit, nearest first. Null is a version without the file. Of the
 * commits reachable from `without`, only the last version counts.
 */
export function earlierVersions(
  gitDir: string,
  commit: string,
  without: readonly string[],
  paths: readonly string[],
): ReadonlyMap<string, (string | null)[]> {
  const versions = new Map<string, (string | null)[]>(paths.map((path) => [path, []]));
  if (paths.length === 0) return versions;
  const revisions = [commit, ...without.map((one) => `^${one}`)];
  const options = ['--raw', '--no-abbrev', '--no-renames', '--format=', '-z', '-m', '--full-history'];
  const logged = gitSync(
    gitDir,
    ['--literal-pathspecs', 'log', ...options, ...revisions, '--', ...paths],
    '',
  );
  const fields = logged?.split('\0') ?? [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const before = /^\n*:\d+ \d+ ([0-9a-f]+) [0-9a-f]+ /.exec(fields[at] ?? '')?.[1];
    const found = versions.get(fields[at + 1] ?? '');
    if (before !== undefined) found?.push(ABSENT.test(before) ? null : before);
  }
  return versions;
}

/**
 * All versions of files below some paths that commits created, except those reachable from `without`. Null is a version
 * without the file.
 */
export function committedVersions(
  gitDir: string,
  commits: readonly string[],
  without: readonly string[],
  paths: readonly string[],
): ReadonlyMap<string, ReadonlySet<string | null>> {
  const versions = new Map<string, Set<string | null>>();
  const options = [
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--format=',
    '-z',
    '-m',
    '--root',
    '--full-history',
  ];
  const revisions = [...commits, ...without.map((one) => `^${one}`)].join('\n');
  const log = ['--literal-pathspecs', 'log', ...options, '--ignore-missing', '--stdin', '--', ...paths];
  const fields = gitSync(gitDir, log, `${revisions}\n`)?.split('\0') ?? [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', blob] = /^\n*:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) /.exec(fields[at] ?? '') ?? [];
    const path = fields[at + 1] ?? '';
    if (blob === undefined) continue;
    const found = versions.get(path) ?? new Set();
    versions.set(path, found.add(mode.startsWith('100') ? blob : null));
  }
  return versions;
}

/** The last commit in the history of another that changed a file. */
export function lastCommitOf(gitDir: string, commit: string, path: string): string | undefined {
  const options = ['--literal-pathspecs', 'log', '-1', '--format=%H'];
  return gitSync(gitDir, [...options, commit, '--', path])?.trim() || undefined;
}

/** The versions of some paths in the trees of some commits; for a missing one, what git says. */
export function versionsAt(
  gitDir: string,
  commits: readonly string[],
  paths: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  // Git reads the names line by line.
  const asked = paths.filter((path) => !/[\n\r]/.test(path));
  const names = asked.flatMap((path) => commits.map((commit) => `${commit}:${path}`));
  if (names.length === 0) return new Map();
  const options = ['cat-file', '--batch-check=%(objectname)'];
  const answers = gitSync(gitDir, options, `${names.join('\n')}\n`)?.split('\n') ?? [];
  return new Map(
    asked.map((path, index) => [
      path,
      new Set(answers.slice(index * commits.length, (index + 1) * commits.length)),
    ]),
  );
}

const OBJECTS_AT_ONCE = 500;

/** All versions of files below some folders in some commits, whatever their history: it may be broken. */
export function versionsIn(
  gitDir: string,
  commits: readonly string[],
  folders: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const versions = new Map<string, Set<string>>();
  const roots = readMany(gitDir, commits).flatMap((commit) => headerOf(commit, 'tree') ?? []);
  const seen = new Set<string>();
  for (let open = new Map([['', new Set(roots)]]); open.size > 0; ) {
    const next = new Map<string, Set<string>>();
    for (const [folder, ids] of open)
      for (const tree of readMany(gitDir, [...ids]))
        for (const { mode, name, id } of tree.type === 'tree' ? treeEntries(tree) : []) {
          const path = folder + name;
          if (!folders.some((one) => isInside(path, one))) continue;
          if (mode.startsWith('100')) versions.set(path, (versions.get(path) ?? new Set()).add(id));
          else if (mode === '40000' && !seen.has(`${id} ${path}`))
            next.set(`${path}/`, (next.get(`${path}/`) ?? new Set()).add(id));
          seen.add(`${id} ${path}`);
        }
    open = next;
  }
  return versions;
}

function readMany(gitDir: string, ids: readonly string[]): GitObject[] {
  const found: GitObject[] = [];
  for (let at = 0; at < ids.length; at += OBJECTS_AT_ONCE)
    for (const object of readObjects(gitDir, ids.slice(at, at + OBJECTS_AT_ONCE)))
      if (object) found.push(object);
  return found;
}

/** Contents by blob id, without unreadable blobs, and those whose content was replaced in git's folder. */
export function readBlobs(gitDir: string, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const objects = readObjects(gitDir, [...new Set(ids)]);
  return new Map(
    objects.flatMap((object) => (object?.type === 'blob' ? [[object.id, object.content] as const] : [])),
  );
}
