import { userInfo } from 'node:os';
import type { VerifyConfig } from '../../config/project/verify-config.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import { pinnedPath, SYSTEM_FOLDERS } from './pinned-path.ts';
import { readToolchainRecord } from './toolchain-record.ts';

export interface SealedRequest {
  /** GuardKit's own environment. */
  env: NodeJS.ProcessEnv;
  /** GuardKit's data folder. */
  dataFolder: string;
  project: string;
  /** Variables from the base's configuration. */
  verify: Pick<VerifyConfig, 'env' | 'pass_env'>;
  /** The command's home folder. */
  home: string;
  sandboxed: boolean;
  /** A set-up also gets registries, proxies and certificates. */
  installs?: boolean;
  /** Whether the project uses pnpm. */
  usesPnpm?: boolean;
  /** Whether the set-up ran packages through npx. */
  usesNpx?: boolean;
}

export interface SealedEnvironment {
  env: Record<string, string>;
  /** Paths in hidden home folders that a sandbox must show. */
  readable: string[];
  /** The person's home folders; a sandbox hides the rest of them. */
  hidden: string[];
}

/** No terminal, so that runners do not watch for changes. Colours are not set: tests set them themselves. */
const FIXED = { CI: '1', TERM: 'xterm-256color', SHELL: '/bin/sh' };

/** Version 11 of pnpm compares dates before each script and then installs again, which only a set-up can. */
const PNPM_AFTER_SET_UP = { pnpm_config_verify_deps_before_run: 'false' };

/** Without a network, npx would try for over a minute to look up packages that it has. */
const NPX_AFTER_SET_UP = { npm_config_prefer_offline: 'true' };

/** Locale and time zone; none of them loads code. */
const REGIONAL = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const REGIONAL_VALUE = /^[\w.@:+/-]*$/;

/** The whole environment of a command in a workspace. Nothing else of GuardKit's own environment reaches it. */
export function sealedEnvironment(request: SealedRequest): SealedEnvironment {
  const { env, dataFolder, project, verify, home, sandboxed } = request;
  const { installs = false, usesPnpm = false, usesNpx = false } = request;
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
      ...(usesPnpm && !installs ? PNPM_AFTER_SET_UP : {}),
      ...(usesNpx && !installs ? NPX_AFTER_SET_UP : {}),
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

/** From the system: HOME in the environment may be anything. */
function personOf(env: NodeJS.ProcessEnv): { name: string; home: string | undefined } {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir.startsWith('/') && homedir !== '/' ? homedir : undefined };
  } catch {
    // Safe: in a container the user may have no entry, and then no home folder with toolchains.
    return { name: env.USER ?? 'user', home: undefined };
  }
}

/** A home folder around the system's programs, as in some containers, cannot be hidden. */
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

/** Names, in upper case, of variables that configure package sources and network access. */
const INSTALL_VARIABLES = [
  /^(?:HTTPS?|ALL|NO|FTP)_PROXY$/,
  /^(?:NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(?:FILE|DIR)|NIX_SSL_CERT_FILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CAINFO)$/,
  /^NPM_CONFIG_(?:REGISTRY|PROXY|HTTPS_PROXY|NOPROXY|CAFILE|CA|STRICT_SSL|.+:REGISTRY|\/\/.+:_AUTH(?:TOKEN)?)$/,
  /^(?:NPM_TOKEN|NODE_AUTH_TOKEN|COREPACK_NPM_(?:REGISTRY|TOKEN|USERNAME|PASSWORD))$/,
  /^YARN_(?:REGISTRY|NPM_REGISTRY_SERVER|NPM_AUTH_TOKEN|NPM_AUTH_IDENT|HTTPS?_PROXY|HTTPS_CA_FILE_PATH|ENABLE_STRICT_SSL)$/,
  /^PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|FIND_LINKS|NO_INDEX|CERT|CLIENT_CERT|PROXY|DEFAULT_TIMEOUT|RETRIES)$/,
  /^UV_(?:INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|NO_INDEX|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|INDEX_.+_(?:USERNAME|PASSWORD))$/,
  /^POETRY_(?:HTTP_BASIC_.+|PYPI_TOKEN_.+|REPOSITORIES_.+_URL|CERTIFICATES_.+)$/,
  /^(?:GOPROXY|GOPRIVATE|GONOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|GOAUTH)$/,
  /^CARGO_(?:REGISTRIES_.+_(?:INDEX|TOKEN)|REGISTRY_TOKEN|HTTP_(?:PROXY|CAINFO|CHECK_REVOKE)|NET_(?:OFFLINE|RETRY))$/,
  /^(?:BUNDLE_MIRROR__.+|GEM_HOST_API_KEY|MAVEN_REPO_URL)$/,
];

/** The variables of GuardKit's environment that a set-up may have; none of them names code to load. */
export function installVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const isInstalls = (name: string) => INSTALL_VARIABLES.some((names) => names.test(name.toUpperCase()));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isInstalls(entry[0]),
    ),
  );
}
