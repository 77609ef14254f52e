import { basename, dirname, join } from 'node:path';
import type { ConfigLocation } from '../../domain/protection/config-locations.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { packageFolder } from '../install/own-package.ts';
import { type BytePath, isWithin, toBytePath } from './byte-path.ts';
import { collectCheckout } from './collect-checkout.ts';
import { huskyCopies } from './husky-copies.ts';
import { claudeFolders, personGitConfigs, personPaths } from './person-files.ts';
import type { ShellFacts } from './plan-mounts.ts';
import { type GitSettings, readGitSettings } from './read-git-settings.ts';
import { hiddenSockets, type ShellAllowances, sshCopies } from './sandbox-covers.ts';
import { shellFolder } from './shell-folder.ts';
import type { StampedReads } from './stamped-reads.ts';
import { type FoundFiles, splitGlobs } from './tracked-files.ts';

/** The checkout that an agent works in, and everything needed to protect it. */
export interface ShellContext {
  checkout: string;
  git: GitFolder;
  dataFolder: string;
  home: string;
  configLocations: readonly ConfigLocation[];
  /** `protected:` of the configuration. */
  globs: readonly string[];
  otherCheckouts: readonly string[];
  allow: ShellAllowances;
  /** The user that commands run as (default: this process's). */
  uid?: number;
}

export function uidOf({ uid }: Pick<ShellContext, 'uid'>): number {
  return uid ?? process.getuid?.() ?? 0;
}

export type FindFiles = (checkout: CheckoutGit, further: readonly BytePath[]) => FoundFiles;

export interface CheckoutGit {
  root: BytePath;
  gitDir: string;
}

export interface CollectedFacts extends ShellFacts {
  missing: BytePath[];
  aliases: string[];
}

/** Reads everything that determines the mounts. `find` returns the files that git tracks. */
export function collectFacts(reads: StampedReads, context: ShellContext, find: FindFiles): CollectedFacts {
  const { git, dataFolder, configLocations } = context;
  const folder = shellFolder(dataFolder, git);
  const home = toBytePath(context.home);
  const common = toBytePath(git.commonDir);
  const configs = personGitConfigs(home, configLocations);
  const settings = readGitSettings(reads, home, [`${common}/config`, ...configs]);
  const checkouts = findCheckouts(reads, context);
  const roots = checkouts.map(({ root }) => root);
  const keepOpen = [...roots, home, toBytePath(dataFolder)];
  const literal = splitGlobs(context.globs).literal;

  const found = checkouts.map((checkout) => {
    const { root } = checkout;
    const hooks = insideHooks(settings, root);
    const further = [...literal, ...hooks];
    return { root, hooks, further, ...find(checkout, further) };
  });
  const read = found.map(({ root, further, tracked, nested, byGlob }) =>
    collectCheckout(reads, {
      root,
      tracked: new Set([...tracked, ...byGlob]),
      nested,
      further: [...further, ...byGlob],
      keepOpen,
    }),
  );

  const locked = [
    ...personPaths(home, configLocations),
    ...settings.included,
    ...settings.hooksPaths.filter((path) => path.startsWith('/')),
    ...gitHooks(reads, git),
    toBytePath(dataFolder),
    ...ownPrograms(),
  ];
  const resolved = locked.flatMap((path) => {
    const found = reads.resolve(path);
    if (found?.kind !== 'folder' && found?.kind !== 'file') return [];
    const isOwn = path === toBytePath(dataFolder);
    const wide = keepOpen.some((kept) => !isOwn && isWithin(kept, found.path));
    // Inside a checkout it is protected with that checkout, where git may write tracked files.
    const inside =
      !isOwn && !isWithin(found.path, common) && roots.some((root) => isWithin(found.path, root));
    return wide || inside ? [] : [found.path];
  });
  // A checkout in such a folder stays writable.
  const claude = claudeFolders(reads, home, configLocations).filter(
    ({ path }) => ![...roots, home].includes(path) && !roots.some((root) => isWithin(path, root)),
  );
  const uid = uidOf(context);
  return {
    checkouts: read,
    locked: [...new Set([...resolved, ...claude.map(({ path }) => path)])],
    pinned: [reads.resolve(common)?.path ?? common, ...claude.flatMap(({ data }) => data)],
    covered: [
      ...hiddenSockets(reads, folder, { home, uid, allow: context.allow, dataFolder }),
      ...(uid === 0 ? [] : sshCopies(reads, folder.ssh)),
      ...huskyCopies(reads, folder.husky, found),
    ],
    missing: [
      ...read.flatMap(({ missing }) => missing),
      ...personPaths(home, configLocations).filter((path) => reads.kindOf(path) === 'missing'),
    ],
    aliases: settings.aliases,
  };
}

/** All checkouts with their git folders, as the repository lists them; in the same order from every checkout. */
function findCheckouts(reads: StampedReads, { git, checkout, otherCheckouts }: ShellContext): CheckoutGit[] {
  const { commonDir } = git;
  const folders = new Map<string, string>();
  if (basename(commonDir) === '.git') folders.set(dirname(commonDir), commonDir);
  const worktrees = join(commonDir, 'worktrees');
  for (const { name } of reads.entries(toBytePath(worktrees))) {
    const gitDir = join(worktrees, Buffer.from(name, 'latin1').toString('utf8'));
    const link = reads.text(toBytePath(join(gitDir, 'gitdir')))?.trim();
    if (link) folders.set(dirname(link), gitDir);
  }
  folders.set(git.root, git.gitDir);
  const all = [...new Set([checkout, git.root, ...otherCheckouts, ...folders.keys()])].sort();
  const found = new Map<BytePath, CheckoutGit>();
  for (const path of all) {
    const real = reads.resolve(toBytePath(path));
    const gitDir = folders.get(path);
    if (real?.kind !== 'folder') continue;
    const known = found.get(real.path);
    if (gitDir !== undefined || !known)
      found.set(real.path, { root: real.path, gitDir: gitDir ?? known?.gitDir ?? git.gitDir });
  }
  return [...found.values()];
}

/** `core.hooksPath` below a checkout, relative to it. */
function insideHooks({ hooksPaths }: GitSettings, root: BytePath): BytePath[] {
  return hooksPaths.flatMap((path) => {
    const relative = path.startsWith('/') ? (isWithin(path, root) ? path.slice(root.length + 1) : '') : path;
    const plain = relative.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
    return plain === '' || plain === '.' || plain.split('/').includes('..') ? [] : [plain];
  });
}

/** Hook folders of the repository and its submodules. A missing one is created, since an agent could create it with a hook in it. */
function gitHooks(reads: StampedReads, { commonDir }: GitFolder): BytePath[] {
  makeFolder(join(commonDir, 'hooks'));
  const common = toBytePath(commonDir);
  return [`${common}/hooks`, ...submoduleHooks(reads, `${common}/modules`, 0)];
}

const SUBMODULE_DEPTH = 3;

function submoduleHooks(reads: StampedReads, folder: BytePath, depth: number): BytePath[] {
  return reads
    .entries(folder)
    .filter(({ kind }) => kind === 'folder')
    .flatMap(({ name }) => {
      const path = `${folder}/${name}`;
      if (reads.kindOf(`${path}/HEAD`) === 'file') return [`${path}/hooks`];
      return depth < SUBMODULE_DEPTH ? submoduleHooks(reads, path, depth + 1) : [];
    });
}

/** GuardKit's own program and the Node that runs it: hooks start them outside the sandbox. */
function ownPrograms(): BytePath[] {
  return [packageFolder(), process.execPath].map(toBytePath);
}
