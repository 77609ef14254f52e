import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';

/** A repository, independent of the checkout. */
export type ShellRepository = Pick<GitFolder, 'commonDir'>;

export type ShellProfile = 'ordinary' | 'git';

const KEY_CHARACTERS = 16;

/** The files that wrapped commands of one repository depend on. */
export interface ShellFolder {
  path: string;
  launcher: string;
  /** The launcher under the name of a shell, for agents that start commands with one. */
  bash: string;
  /** Bash reads this file before it runs a command. Used for agents whose shell cannot be chosen. */
  bashEnv: string;
  /** bwrap's arguments, separated by NUL; on macOS the text of a sandbox-exec profile. */
  profiles: Record<ShellProfile, string>;
  /** The person's previous settings; the launcher runs a previous prefix inside the sandbox. */
  chain: string;
  /** Exists while a person has paused GuardKit. */
  paused: string;
  /** Begin and end marks of commands in the git profile. */
  gitCommands: string;
  /** One of its folders is mounted over another, so that /proc/PID/mountinfo shows a process's profile. */
  marks: string;
  /** Shell text that succeeds if another sandbox makes all protected paths read-only. */
  unwritable: string;
  /** Shell text that breaks hard links of protected files. */
  breakLinks: string;
  /** The result of the last refresh, with the stamps it depends on. */
  stamps: string;
  /** Tracked files and nested folders, with the stamps they depend on. */
  found: string;
  /** Covers the folder with the person's tmux sockets. */
  tmux: string;
  /** Covers folders with sockets that commands must not reach. */
  emptyFolder: string;
  emptyFile: string;
  /** Copies of root's ssh configuration, owned by the user. */
  ssh: string;
  /** Copies of the folders that husky writes. */
  husky: string;
}

const known = new WeakMap<ShellRepository, { dataFolder: string; folder: ShellFolder }>();

/** Computed once per event: each has its own `repository`. */
export function shellFolder(dataFolder: string, repository: ShellRepository): ShellFolder {
  const last = known.get(repository);
  if (last?.dataFolder === dataFolder) return last.folder;
  const path = join(dataFolder, 'shell', repositoryKey(repository));
  const folder = folders.get(path) ?? filesIn(path);
  folders.set(path, folder);
  known.set(repository, { dataFolder, folder });
  return folder;
}

/** The names depend on nothing else. */
const folders = new Map<string, ShellFolder>();

function filesIn(path: string): ShellFolder {
  return {
    path,
    launcher: join(path, 'guardkit-shell'),
    bash: join(path, 'bash'),
    bashEnv: join(path, 'bash-env'),
    profiles: { ordinary: join(path, 'ordinary.args'), git: join(path, 'git.args') },
    paused: join(path, 'paused'),
    chain: join(path, 'chain'),
    gitCommands: join(path, 'git-commands'),
    marks: join(path, 'profile'),
    unwritable: join(path, 'unwritable'),
    breakLinks: join(path, 'break-links'),
    stamps: join(path, 'stamps.json'),
    found: join(path, 'found.json'),
    tmux: join(path, 'tmux'),
    emptyFolder: join(path, 'empty'),
    emptyFile: join(path, 'empty-file'),
    ssh: join(path, 'ssh'),
    husky: join(path, 'husky'),
  };
}

/** The same for all checkouts of a repository. */
export function repositoryKey({ commonDir }: ShellRepository): string {
  const folder = realpathSync.native(commonDir);
  const key = keys.get(folder) ?? createHash('sha256').update(folder).digest('hex').slice(0, KEY_CHARACTERS);
  keys.set(folder, key);
  return key;
}

const keys = new Map<string, string>();
