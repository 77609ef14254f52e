import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { isInside } from '../files/path-inside.ts';
import { isProgram } from '../processes/find-program.ts';
import { resolvePath } from './resolve-path.ts';
import { isReserved } from './sandbox-arguments.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';

interface Cache {
  /** Under the home folder. */
  folder: string;
  /** If this program is on the PATH, a missing folder is created, as the program would do. */
  tool?: string;
  /** The variable that moves it, and the path below it. */
  moved?: { by: string; below: string };
}

/**
 * Caches that package managers and compilers write in every run. Only data: no folder with programs on a person's PATH
 * (~/go/bin, ~/.yarn/bin, ~/.local/share/pnpm), and none with scripts that a later run outside the sandbox would execute
 * (~/.gradle/init.d, ~/.npm/_npx). ~/.rustup stays read-only: it contains the compilers.
 */
const CACHES: readonly Cache[] = [
  { folder: '.cache', tool: 'sh', moved: { by: 'XDG_CACHE_HOME', below: '' } },
  { folder: '.npm/_cacache', tool: 'npm' },
  { folder: '.npm/_logs', tool: 'npm' },
  { folder: '.local/share/pnpm/store', tool: 'pnpm', moved: { by: 'PNPM_HOME', below: 'store' } },
  { folder: '.yarn/berry', tool: 'yarn' },
  { folder: '.cargo/registry', tool: 'cargo', moved: { by: 'CARGO_HOME', below: 'registry' } },
  { folder: '.cargo/git', tool: 'cargo', moved: { by: 'CARGO_HOME', below: 'git' } },
  { folder: 'go/pkg', tool: 'go', moved: { by: 'GOPATH', below: 'pkg' } },
  { folder: '.m2/repository', tool: 'mvn' },
  { folder: '.gradle/caches', tool: 'gradle', moved: { by: 'GRADLE_USER_HOME', below: 'caches' } },
  { folder: '.gradle/daemon', tool: 'gradle', moved: { by: 'GRADLE_USER_HOME', below: 'daemon' } },
  { folder: '.gradle/native', tool: 'gradle', moved: { by: 'GRADLE_USER_HOME', below: 'native' } },
  { folder: '.gradle/wrapper/dists' },
];

/**
 * Credentials. ~/.npmrc, ~/.m2/settings.xml and ~/.config/pip are not listed, although they may contain a token: they also
 * name the registries that installing needs. ~/.docker is hidden as a whole: it contains keys and the socket of a machine
 * with full access.
 */
const CREDENTIALS = [
  '.ssh',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.oci',
  '.kube',
  '.docker',
  '.config/containers/auth.json',
  '.terraform.d',
  '.vault-token',
  '.config/op',
  '.config/rclone',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.pypirc',
  '.m2/settings-security.xml',
  '.pgpass',
  '.my.cnf',
  '.huggingface',
  '.cache/huggingface/token',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  // Accounts of coding agents, and records of the person's other projects.
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.qwen',
  '.copilot',
  '.config/opencode',
  '.local/share/opencode',
  '.cursor',
  '.config/github-copilot',
  '.aider.conf.yml',
  '.config/goose',
];

/** Machine secrets that root could read even without capabilities. */
const SYSTEM_CREDENTIALS = ['/etc/shadow', '/etc/gshadow', '/etc/ssh'];

/** Adds the rules for the person's home folder to a policy; the policy's own paths take precedence. */
export function withHomeAccess(policy: SandboxPolicy, env: NodeJS.ProcessEnv): SandboxPolicy {
  const home = env.HOME ? resolvePath(env.HOME).path : '/';
  // In some containers the home folder is `/`, which is no person's.
  const inHome = (name: string) => (home === '/' ? [] : [join(home, name)]);
  const said = new Set(
    [...policy.writable, ...policy.readOnly, ...policy.hidden].map((path) => resolvePath(path).path),
  );
  const isUnsaid = (path: string) => {
    const resolved = resolvePath(path);
    return resolved.stats !== undefined && !said.has(resolved.path) && !isReserved(resolved.path);
  };
  const caches = CACHES.flatMap((cache) => {
    const path = placeOf(cache, home, env);
    // A cache that contains the home folder would open all of it.
    if (path === undefined || isInside(home, path)) return [];
    if (cache.tool && isOnPath(cache.tool, env)) makeCache(path);
    return [path];
  });
  const credentials = [...CREDENTIALS.flatMap(inHome), ...SYSTEM_CREDENTIALS];
  return {
    ...policy,
    writable: [...policy.writable, ...caches.filter(isUnsaid)],
    hidden: [...policy.hidden, ...credentials.filter(isUnsaid)],
  };
}

/** For a command with a private home folder, which sees nothing of the person's. */
export function withoutSystemCredentials(policy: SandboxPolicy): SandboxPolicy {
  const present = SYSTEM_CREDENTIALS.filter((path) => resolvePath(path).stats !== undefined);
  return { ...policy, hidden: [...policy.hidden, ...present] };
}

function placeOf({ folder, moved }: Cache, home: string, env: NodeJS.ProcessEnv): string | undefined {
  const elsewhere = moved && env[moved.by];
  if (moved && elsewhere?.startsWith('/')) return resolvePath(join(elsewhere, moved.below)).path;
  return home === '/' ? undefined : join(home, folder);
}

function isOnPath(tool: string, env: NodeJS.ProcessEnv): boolean {
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return folders.some((folder) => isProgram(join(folder, tool)));
}

function makeCache(path: string): void {
  try {
    makeFolder(path);
  } catch {
    // Safe: without its cache the tool reports the error itself.
  }
}
