import { posix } from 'node:path';
import { type VerifyConfig, withCommands } from '../../config/project/verify-config.ts';
import { type PathChange, readTreeFile } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { goWorkFolders } from '../harness/build-files.ts';
import { PLAIN_NAME, packagesOf, YARN_PART } from './narrow-to-affected.ts';

/**
 * The commands for the candidate, with the packages that the change adds to a workspace. Only a command that names every
 * package of the base is extended: others run all packages anyway, or some that a person chose.
 */
export async function withNewPackages(
  repository: Repository,
  verify: VerifyConfig,
  change: WorkspaceChange,
): Promise<VerifyConfig> {
  const extend =
    (await goExtension(repository, change)) ??
    (await yarnExtension(repository, change, verify.tests?.command ?? ''));
  return extend ? withCommands(verify, extend) : verify;
}

export interface WorkspaceChange {
  baseTree: string;
  tree: string;
  changes: readonly PathChange[];
}

type Extension = (command: string) => string;

async function goExtension(
  repository: Repository,
  { baseTree, tree, changes }: WorkspaceChange,
): Promise<Extension | undefined> {
  if (!changes.some(({ path }) => path === 'go.work')) return undefined;
  const [before, after] = await Promise.all(
    [baseTree, tree].map(async (one) =>
      goWorkFolders((await readTreeFile(repository, one, 'go.work')) ?? ''),
    ),
  );
  return (command) => withGoModules(command, before ?? [], after ?? []);
}

async function yarnExtension(
  repository: Repository,
  { baseTree, tree, changes }: WorkspaceChange,
  command: string,
): Promise<Extension | undefined> {
  const addsPackage = changes.some(
    ({ path, change }) => change === 'added' && path.endsWith('/package.json'),
  );
  if (!addsPackage || !command.includes(' workspace ')) return undefined;
  const [before, after] = await Promise.all(
    [baseTree, tree].map(async (one) =>
      (await packagesOf(repository, one)).filter(({ isTested }) => isTested),
    ),
  );
  const names = (packages: readonly { name: string }[] = []) => packages.map(({ name }) => name);
  return (command) => withYarnPackages(command, names(before), names(after));
}

/** A folder that needs no shell quoting. */
const PLAIN_FOLDER = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** `go test ./a/... ./b/...` with further modules of a go.work, given by folder. */
export function withGoModules(command: string, before: readonly string[], after: readonly string[]): string {
  const words = command.split(' ');
  const known = new Set(before.map(goPattern));
  const added = after
    .map((folder) => posix.normalize(folder))
    .filter((folder) => PLAIN_FOLDER.test(folder))
    .map(goPattern);
  const fresh = added.filter((pattern) => !known.has(pattern));
  const last = words.findLastIndex((word) => known.has(word));
  if (last === -1 || ![...known].every((pattern) => words.includes(pattern))) return command;
  return [...words.slice(0, last + 1), ...fresh, ...words.slice(last + 1)].join(' ');
}

function goPattern(folder: string): string {
  const path = posix.normalize(folder).replace(/\/$/, '');
  return path === '.' ? './...' : `./${path}/...`;
}

/** `yarn workspace a test && yarn workspace b test` with further packages. */
export function withYarnPackages(
  command: string,
  before: readonly string[],
  after: readonly string[],
): string {
  if (/[;|()\n]|(?<!&)&(?!&)/.test(command)) return command;
  const parts = command.split(' && ').map((part) => YARN_PART.exec(part));
  const named = parts.flatMap((part) => part?.[2] ?? []);
  const [, start, , script] = parts.at(-1) ?? [];
  if (start === undefined || !before.every((name) => named.includes(name))) return command;
  const fresh = after.filter((name) => !named.includes(name) && PLAIN_NAME.test(name));
  return [command, ...fresh.map((name) => `${start}${name}${script}`)].join(' && ');
}
