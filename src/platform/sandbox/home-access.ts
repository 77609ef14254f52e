import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../files/path-inside.ts';
import { isProgram } from './is-program.ts';
import { resolvePath } from './resolve-path.ts';
import { isReserved } from './sandbox-arguments.ts';
import type { SandboxPolicy } from './sandbox-policy.ts';

interface Cache {
  /** Under the home folder. */
  folder: string;
  /** The program whose presence on the PATH is reason enough to make a missing folder; it would make it itself. */
  tool?: string;
  /** The variable by which a person has it elsewhere, and where it is below that. */
  moved?: { by: string; below: string };
}

/**
 * What package managers and compilers write to in every run. Only what holds data: never a folder with programs that a
 * person's PATH names (~/go/bin, ~/.yarn/bin, ~/.local/share/pnpm), and never one with scripts that a later run outside
 * the sandbox would read (~/.gradle/init.d, ~/.npm/_npx). ~/.rustup stays read-only: it holds the compilers.
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
 * What logs a person in somewhere. ~/.npmrc, ~/.m2/settings.xml and ~/.config/pip are not here though they may hold a
 * token: they also name the registries without which nothing can be installed. ~/.docker is here as a whole: it holds
 * keys and the socket of a machine on which everything may be done.
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
  // What coding agents know their accounts, and a person's other projects, by.
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.config/opencode',
  '.local/share/opencode',
  '.cursor',
  '.config/github-copilot',
  '.aider.conf.yml',
  '.config/goose',
];

/** Secrets of the machine that root could read by its number alone. */
const SYSTEM_CREDENTIALS = ['/etc/shadow', '/etc/gshadow', '/etc/ssh'];

/** Adds to a policy what holds for the home folder of whoever runs it; what the policy itself says of a path stays. */
export function withHomeAccess(policy: SandboxPolicy, env: NodeJS.ProcessEnv): SandboxPolicy {
  const home = env.HOME ? resolvePath(env.HOME).path : '/';
  // A home folder that is the root, as some containers have it, is nobody's.
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
    // A cache that holds the home folder itself would open all of it.
    if (path === undefined || isInside(home, path)) return [];
    if (cache.tool && isOnPath(cache.tool, env)) makeFolder(path);
    return [path];
  });
  const credentials = [...CREDENTIALS.flatMap(inHome), ...SYSTEM_CREDENTIALS];
  return {
    ...policy,
    writable: [...policy.writable, ...caches.filter(isUnsaid)],
    hidden: [...policy.hidden, ...credentials.filter(isUnsaid)],
  };
}

/** For a command whose home folder is its own and that sees nothing of a person's. */
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

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // Safe: without its cache the tool itself says what it cannot write.
  }
}
