import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { listTree, readTreeFile } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';

/** Files that say which dependencies a project has. */
const DEPENDENCY_FILES = [
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|deno\.lock)$/,
  /^(?:requirements[\w.-]*\.(?:txt|in)|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|pyproject\.toml|setup\.(?:py|cfg))$/,
  /^(?:go\.(?:mod|sum|work)|Cargo\.(?:toml|lock)|pom\.xml|build\.gradle(?:\.kts)?|gradle\.lockfile)$/,
  /^(?:Gemfile(?:\.lock)?|composer\.(?:json|lock)|mix\.lock|\.npmrc|\.yarnrc\.yml|\.nvmrc|\.node-version|\.tool-versions)$/,
];

/** The parts of a package.json that an installation follows; other scripts may change without a new one. */
const INSTALL_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'workspaces',
  'packageManager',
  'engines',
  'pnpm',
];
const INSTALL_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

/** What a set-up's result depends on, as one hash: two trees with the same key can share it. */
export async function setupKey(repository: Repository, tree: string, command: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (...parts: string[]) => {
    for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  };
  add(command, process.platform, process.arch, process.version);
  for (const { path, object } of await listTree(repository, tree)) {
    if (path.includes('node_modules/')) continue;
    const name = basename(path);
    if (name === 'package.json') {
      add(path, installParts((await readTreeFile(repository, tree, path)) ?? ''));
    } else if (DEPENDENCY_FILES.some((pattern) => pattern.test(name))) {
      add(path, object);
    }
  }
  return hash.digest('hex');
}

function installParts(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Safe: a file that is no JSON is taken as it is, so that any change of it counts.
    return text;
  }
  if (parsed === null || typeof parsed !== 'object') return text;
  const scripts: unknown = Reflect.get(parsed, 'scripts');
  const pick = (from: unknown, names: readonly string[]) =>
    names.map((name) =>
      from !== null && typeof from === 'object' && Object.hasOwn(from, name) ? Reflect.get(from, name) : null,
    );
  return JSON.stringify([pick(parsed, INSTALL_FIELDS), pick(scripts, INSTALL_SCRIPTS)]);
}
