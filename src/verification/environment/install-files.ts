import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { isPlainPath } from '../../platform/files/path-inside.ts';

interface InstallFile {
  /** Below a home folder. */
  path: string;
  /** An alternative path, and the variable that names it. */
  moved?: { by: string; below?: string };
  /** The part of its text that configures package sources and network access. */
  keep(text: string, env: NodeJS.ProcessEnv): string;
}

const NPM_KEYS =
  /^(?:registry|@[\w.~-]+:registry|(?:https?-|no)?proxy|cafile|ca(?:\[\])?|cert|key|strict-ssl|always-auth|\/\/[^=\s]+:(?:_authToken|_auth|username|_password|email|certfile|keyfile|always-auth))$/;
const PIP_KEYS =
  /^(?:index-url|extra-index-url|trusted-host|cert|client-cert|proxy|find-links|no-index|timeout|retries)$/;
const GO_KEYS = /^(?:GOPROXY|GOPRIVATE|GONOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|GOAUTH)$/;
const YARN_KEYS =
  /^(?:npmRegistryServer|npmScopes|npmRegistries|npmAuthToken|npmAuthIdent|npmAlwaysAuth|https?Proxy|httpsCaFilePath|caFilePath|enableStrictSsl|networkSettings|unsafeHttpWhitelist)$/;
const YARN_CLASSIC_KEYS =
  /^"?(?:registry|@[\w.~-]+:registry|(?:https?-)?proxy|cafile|strict-ssl|\/\/[^\s"]+:_authToken)"?$/;
const CARGO_TABLES = /^(?:registries|registry|source|http|net)(?:\.|$)/;
/** Keys of those tables that name programs. */
const CARGO_PROGRAMS =
  /^(?:credential-provider|global-credential-providers|credential-process|git-fetch-with-cli)$/;

const INSTALL_FILES: readonly InstallFile[] = [
  {
    path: '.npmrc',
    moved: { by: 'NPM_CONFIG_USERCONFIG' },
    keep: (text, env) => keepAssignments(expandVariables(text, env), NPM_KEYS),
  },
  { path: '.yarnrc', keep: (text) => keepLines(text, /^(\S+)\s/, YARN_CLASSIC_KEYS) },
  { path: '.yarnrc.yml', keep: (text, env) => keepYaml(expandVariables(text, env)) },
  {
    path: '.config/pip/pip.conf',
    moved: { by: 'PIP_CONFIG_FILE' },
    keep: (text) => keepAssignments(text, PIP_KEYS),
  },
  { path: '.pip/pip.conf', keep: (text) => keepAssignments(text, PIP_KEYS) },
  { path: '.config/go/env', moved: { by: 'GOENV' }, keep: (text) => keepAssignments(text, GO_KEYS) },
  { path: '.cargo/config.toml', moved: { by: 'CARGO_HOME', below: 'config.toml' }, keep: keepTables },
  {
    path: '.cargo/credentials.toml',
    moved: { by: 'CARGO_HOME', below: 'credentials.toml' },
    keep: keepTables,
  },
];

export interface LentFiles {
  /** Absolute paths named in them, such as certificates. */
  named: string[];
  takeBack(): void;
}

/** Copies the person's registry settings into a set-up's home folder until they are taken back. */
export function lendInstallFiles(home: string, env: NodeJS.ProcessEnv): LentFiles {
  const lent: { file: string; before: string | undefined }[] = [];
  const named: string[] = [];
  for (const file of INSTALL_FILES) {
    const text = readOwn(file, env);
    if (text === undefined) continue;
    const kept = file.keep(text, env);
    if (kept.trim() === '') continue;
    const path = join(home, file.path);
    const before = readText(path);
    makeFolder(dirname(path), 0o700);
    writeFileSync(path, kept, { mode: 0o600 });
    lent.push({ file: file.path, before });
    named.push(...namedPaths(kept));
  }
  const takeBack = () => {
    for (const { file, before } of lent) {
      // A set-up can replace folders of its home with links.
      if (!isPlainPath(home, file)) continue;
      rmSync(join(home, file), { recursive: true, force: true });
      if (before !== undefined) writeFileSync(join(home, file), before);
    }
  };
  return { named, takeBack };
}

/** Absolute paths in the values of settings. */
export function namedPaths(text: string): string[] {
  return [...text.matchAll(/(?:^|[\s="':,])(?:file:\/\/)?(\/(?!\/)[^\s"',;]+)/gm)].flatMap(([, path]) =>
    path === undefined ? [] : [path],
  );
}

function readOwn({ path, moved }: InstallFile, env: NodeJS.ProcessEnv): string | undefined {
  const elsewhere = moved && env[moved.by];
  const place = elsewhere?.startsWith('/')
    ? join(elsewhere, moved?.below ?? '')
    : env.HOME?.startsWith('/')
      ? join(env.HOME, path)
      : undefined;
  return place === undefined ? undefined : readText(place);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Safe: without it, packages come from the package manager's default source.
    return undefined;
  }
}

/** Lines `key = value` with an allowed key, with their continuation lines and section headers. */
function keepAssignments(text: string, allowed: RegExp): string {
  const kept: string[] = [];
  let isKept = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    if (/^\[[^\]]*\]\s*$/.test(line)) {
      kept.push(line);
      isKept = false;
      continue;
    }
    // An indented line continues the value before it.
    if (!/^\s/.test(line) || !isKept)
      isKept = allowed.test((line.split('=')[0] ?? '').trim()) && line.includes('=');
    if (isKept) kept.push(line);
  }
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

function keepLines(text: string, key: RegExp, allowed: RegExp): string {
  const kept = text.split(/\r?\n/).filter((line) => allowed.test(key.exec(line)?.[1] ?? ''));
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

function keepYaml(text: string): string {
  let parsed: unknown;
  try {
    parsed = parse(text, { maxAliasCount: 0 });
  } catch {
    // Safe: yarn could not read the file either.
    return '';
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return '';
  const kept = Object.entries(parsed).filter(([key]) => YARN_KEYS.test(key));
  return kept.length === 0 ? '' : stringify(Object.fromEntries(kept));
}

/** Tables of a TOML file by their headers; keys before the first header are dropped. */
function keepTables(text: string): string {
  const kept: string[] = [];
  let isKept = false;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (header !== undefined) isKept = CARGO_TABLES.test(header.replaceAll('"', ''));
    const key = /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1];
    if (isKept && !(key !== undefined && CARGO_PROGRAMS.test(key))) kept.push(line);
  }
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

/** Expands `${NAME}` like npm and yarn; the variable itself is not passed to the command. */
function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(
    /\$\{(\w+)(?:(:?-)([^}]*))?\??\}/g,
    (whole, name: string, dash: string | undefined, otherwise: string | undefined) =>
      env[name] || (dash === undefined ? (env[name] ?? whole) : (otherwise ?? '')),
  );
}
