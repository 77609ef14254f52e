/**
 * The repository is hostile: nothing that it configures may run. Hooks, the file-system monitor, pagers and external programs
 * are disabled, and the caller's GIT_* variables are removed, because they could redirect git.
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
  // With weaker stat checks, a changed file could pass as unchanged.
  'core.trustctime=true',
  'core.checkStat=default',
  // A sparse-checkout list would keep files out of a verification workspace.
  'core.sparseCheckout=false',
  // Large files are streamed, not held in memory, and not compressed, which takes most of the time.
  'core.bigFileThreshold=32m',
  'pack.compression=0',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

let folders: string | undefined;

/** Searches other folders than GuardKit's PATH for git, until the returned function is called. */
export function lookForGitIn(path: string | undefined): () => void {
  const before = folders;
  folders = path;
  return () => {
    folders = before;
  };
}

/** The environment for git, instead of the caller's. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:GIT|LD|DYLD)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    // The system's git first: another git on the PATH could fake history and files.
    PATH: [...SYSTEM_FOLDERS, folders ?? process.env.PATH ?? ''].join(':'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Both let a repository show other history or contents than its hashes name.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    LC_ALL: 'C',
  };
}
