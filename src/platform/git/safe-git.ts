/**
 * The repository is hostile: nothing that it configures may run. Hooks, the file-system monitor, pagers and external
 * programs are off, and the caller's own GIT_* variables, which could point elsewhere, are taken away.
 */
export const SAFE_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.untrackedCache=false',
  'diff.external=',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'commit.gpgSign=false',
  'advice.addEmbeddedRepo=false',
  'core.safecrlf=false',
  // A repository that trusts less than all of a file's stamps would let a changed file pass for an unchanged one.
  'core.trustctime=true',
  'core.checkStat=default',
  // A list in git's own folder would keep files of a tree out of the room that it is placed in.
  'core.sparseCheckout=false',
  // A large file is streamed into git instead of being held in memory, and not compressed, which takes most of the time.
  'core.bigFileThreshold=32m',
  'pack.compression=0',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

let folders: string | undefined;

/** Has git looked for in other folders than GuardKit's own PATH names, until what is given back is called. */
export function lookForGitIn(path: string | undefined): () => void {
  const before = folders;
  folders = path;
  return () => {
    folders = before;
  };
}

/** What git is started with in place of the caller's own environment. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:GIT|LD|DYLD)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    // The system's own git first: another one earlier on the PATH could show any history and any file.
    PATH: [...SYSTEM_FOLDERS, folders ?? process.env.PATH ?? ''].join(':'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Both let a repository show another history or other contents than those that its hashes name.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    LC_ALL: 'C',
  };
}
