import { userInfo } from 'node:os';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { isInside } from '../../platform/sandbox/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import { installVariables } from './install-variables.ts';
import { pinnedPath, SYSTEM_FOLDERS } from './pinned-path.ts';
import { readToolchainRecord } from './toolchain-record.ts';

export interface SealedRequest {
  /** GuardKit's own environment. */
  env: NodeJS.ProcessEnv;
  /** GuardKit's data folder. */
  dataFolder: string;
  project: string;
  /** What the base's configuration names. */
  verify: Pick<VerifyConfig, 'env' | 'pass_env'>;
  /** The command's home folder. */
  home: string;
  sandboxed: boolean;
  /** Set-up also gets registries, proxies and certificates. */
  installs?: boolean;
}

export interface SealedEnvironment {
  env: Record<string, string>;
  /** What a sandbox has to show of hidden home folders. */
  readable: string[];
  /** Home folders of the person, of which a sandbox shows nothing else. */
  hidden: string[];
}

/** Nobody sits at a terminal, so that runners must not wait for changes. Nothing about colours: tests set that themselves. */
const FIXED = { CI: '1', TERM: 'xterm-256color', SHELL: '/bin/sh' };

/** Languages and time zone: what words and times look like, and nothing that loads code. */
const REGIONAL = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const REGIONAL_VALUE = /^[\w.@:+/-]*$/;

/** The whole environment of a command in a workspace. Nothing else of GuardKit's own environment reaches it. */
export function sealedEnvironment(request: SealedRequest): SealedEnvironment {
  const { env, dataFolder, project, verify, home, sandboxed, installs = false } = request;
  const person = personOf(env);
  const path = pinnedPath(readToolchainRecord(dataFolder, project), person.home);
  return {
    env: {
      ...pick(env, (name, value) => REGIONAL.test(name) && REGIONAL_VALUE.test(value)),
      ...FIXED,
      USER: person.name,
      LOGNAME: person.name,
      HOME: home,
      PATH: path.folders.join(':'),
      ...temporaryFolder(env, sandboxed),
      ...path.env,
      ...(installs ? installVariables(env) : {}),
      ...pick(env, (name) => (verify.pass_env ?? []).includes(name)),
      ...verify.env,
    },
    readable: path.readable,
    hidden: [...new Set([person.home, env.HOME])].flatMap((folder) => hideable(folder)),
  };
}

function temporaryFolder(env: NodeJS.ProcessEnv, sandboxed: boolean): Record<string, string> {
  if (sandboxed) return { TMPDIR: '/tmp' };
  return env.TMPDIR === undefined ? {} : { TMPDIR: env.TMPDIR };
}

/** As the system knows them: a HOME in the environment may be anything. */
function personOf(env: NodeJS.ProcessEnv): { name: string; home: string | undefined } {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir.startsWith('/') && homedir !== '/' ? homedir : undefined };
  } catch {
    // Safe: in a container the user may have no entry; there is then no home folder with toolchains either.
    return { name: env.USER ?? 'user', home: undefined };
  }
}

/** A home folder around the system's own programs, as some containers have it, cannot be hidden. */
function hideable(folder: string | undefined): string[] {
  if (folder === undefined || !folder.startsWith('/')) return [];
  const { path, stats } = resolvePath(folder);
  if (path === '/' || !stats?.isDirectory()) return [];
  return SYSTEM_FOLDERS.slice(0, 6).some((system) => isInside(system, path)) ? [] : [path];
}

export function pick(
  env: NodeJS.ProcessEnv,
  keep: (name: string, value: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => {
      const [name, value] = entry;
      return value !== undefined && keep(name, value);
    }),
  );
}
