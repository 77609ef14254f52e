import { copyFileSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFeatureFile, isTaskFile } from '../../config/work/work.ts';
import { DEFINITION_FOLDERS } from '../../domain/protection/project-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readBlobs, type TreeFiles } from '../../platform/git/git-versions.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Acceptances, contentDigest } from './acceptances.ts';
import { definitionsInForce } from './definitions-in-force.ts';
import type { Base } from './find-base.ts';

const MAX_FILES = 10_000;
const CONFIG_FILE = '.guardkit/config.yaml';

/** A working file that differs from the definition in force. */
export interface DefinitionDifference {
  path: string;
  /** The digest of the working file; null if it is gone. */
  digest: string | null;
  accepted: boolean;
}

/**
 * Writes the definitions in force at the base to a folder, to be read like any project's, with those that a person's branch
 * adds. A working file that a person accepted replaces the base's version.
 */
export async function exportDefinitions(
  repository: Repository,
  { commit, provenance, addsFrom }: Pick<Base, 'commit' | 'provenance' | 'addsFrom'>,
  acceptances: Acceptances,
  target: string,
): Promise<DefinitionDifference[]> {
  const { gitDir } = repository.folder;
  const inForce = definitionsInForce(gitDir, commit, provenance?.provenance, DEFINITION_FOLDERS);
  if (!inForce) throw unreadableBase(commit);
  if (inForce.isUnknown) throw unknownHistory(commit);
  const later =
    addsFrom &&
    definitionsInForce(gitDir, addsFrom.commit, provenance?.provenance, DEFINITION_FOLDERS)?.files;
  const added = [...(later || [])].filter(([path]) => isAddition(path, inForce.files));
  const files = [...inForce.files, ...added].filter(([path]) => isRead(path)).slice(0, MAX_FILES);
  const blobs = readBlobs(
    gitDir,
    files.map(([, blob]) => blob),
  );
  for (const [path, blob] of files) {
    const content = blobs.get(blob);
    if (!content) throw unreadableBase(commit);
    makeFolder(dirname(join(target, path)));
    writeFileSync(join(target, path), content);
  }
  const listed = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...DEFINITION_FOLDERS,
  ];
  const working = (await repository.run(listed)).split('\0').filter((path) => path !== '' && isRead(path));
  return [...new Set([...files.map(([path]) => path), ...working])].flatMap(
    (path) => takeAccepted(repository.root, path, acceptances, target) ?? [],
  );
}

function takeAccepted(
  root: string,
  path: string,
  acceptances: Acceptances,
  target: string,
): DefinitionDifference | undefined {
  const file = join(root, path);
  const digest = isRegularFile(file) ? contentDigest(file) : null;
  if (digest === contentDigest(join(target, path))) return undefined;
  const accepted = acceptances.has(path, digest);
  if (accepted && digest === null) rmSync(join(target, path), { force: true });
  else if (accepted) {
    makeFolder(dirname(join(target, path)));
    copyFileSync(file, join(target, path));
  }
  return { path, digest, accepted };
}

/** New work counts; rules do where the base has none, since the branch then sets GuardKit up. */
function isAddition(path: string, onBase: TreeFiles): boolean {
  if (onBase.has(path)) return false;
  return isTaskOrFeature(path) || !onBase.has(CONFIG_FILE);
}

/** Whether verification reads this definition. */
function isRead(path: string): boolean {
  return path === CONFIG_FILE || /^\.guardkit\/config\/[^/]+\.yaml$/.test(path) || isTaskOrFeature(path);
}

function isTaskOrFeature(path: string): boolean {
  return isTaskFile(path) || isFeatureFile(path);
}

function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function unknownHistory(commit: string): GuardKitError {
  return new GuardKitError({
    code: 'base.unknown-history',
    kind: 'refused',
    message: `${commit.slice(0, 10)} shares no history with the trusted commits, so its definitions are not known to be a person's.`,
    hint: 'If the repository was replaced on purpose, review the definitions and run `guardkit accept`.',
  });
}

export function unreadableBase(commit: string): GuardKitError {
  return new GuardKitError({
    code: 'base.unreadable',
    kind: 'outside',
    message: `Git could not read the definitions of ${commit.slice(0, 10)}.`,
    hint: 'Run `git fsck`; in a partial clone, fetch the missing objects first.',
  });
}
