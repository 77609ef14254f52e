import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFeatureFile, isTaskFile } from '../../config/work/work.ts';
import { DEFINITION_FOLDERS } from '../../domain/protection/project-paths.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { readBlobs, type TreeFiles } from '../../platform/git/git-versions.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { type Acceptances, digestOf, workingContent } from './acceptances.ts';
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

export interface ExportedDefinitions {
  /** The contents of tasks and features by their path. There may be thousands, and every verification reads them. */
  work: ReadonlyMap<string, Buffer>;
  differences: DefinitionDifference[];
}

/**
 * The definitions in force at the base, with those that a person's branch adds: rules are written to a folder, to be read
 * like any project's. A working file that a person accepted replaces the base's version.
 */
export async function exportDefinitions(
  repository: Repository,
  { commit, provenance, addsFrom }: Pick<Base, 'commit' | 'provenance' | 'addsFrom'>,
  acceptances: Acceptances,
  target: string,
): Promise<ExportedDefinitions> {
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
  const contents = new Map<string, Buffer>();
  for (const [path, blob] of files) {
    const content = blobs.get(blob);
    if (!content) throw unreadableBase(commit);
    contents.set(path, content);
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
  const differences = [...new Set([...contents.keys(), ...working])].flatMap(
    (path) => takeAccepted(repository.root, path, acceptances, contents) ?? [],
  );
  const [work, rules] = [new Map<string, Buffer>(), new Map<string, Buffer>()];
  for (const [path, content] of contents) (isTaskOrFeature(path) ? work : rules).set(path, content);
  for (const [path, content] of rules) {
    makeFolder(dirname(join(target, path)));
    writeFileSync(join(target, path), content);
  }
  return { work, differences };
}

function takeAccepted(
  root: string,
  path: string,
  acceptances: Acceptances,
  contents: Map<string, Buffer>,
): DefinitionDifference | undefined {
  const working = workingContent(join(root, path));
  const inForce = contents.get(path);
  if (working === undefined ? inForce === undefined : inForce?.equals(working)) return undefined;
  const digest = working === undefined ? null : digestOf(working);
  const accepted = acceptances.has(path, digest);
  if (accepted && working === undefined) contents.delete(path);
  else if (accepted && working !== undefined) contents.set(path, working);
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

function unknownHistory(commit: string): GuardKitError {
  return new GuardKitError({
    code: 'base.unknown-history',
    kind: 'refused',
    message: `${commit.slice(0, 10)} shares no history with the trusted commits, so GuardKit cannot tell whether a person made its definitions.`,
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
