import { copyFileSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { exportFiles, listing, readEntries } from '../../platform/git-tree.ts';
import type { Repository } from '../../platform/repository.ts';
import { type Acceptances, contentDigest } from './acceptances.ts';
import type { Base } from './find-base.ts';
import { changedByAgents } from './persons-word.ts';

/** Where what defines a verification lies in a project. */
const DEFINITION_FOLDERS = ['.guardkit', 'tasks'];
const MAX_FILES = 10_000;

/** A definition that is not, or not so, in the base. */
export interface DefinitionDifference {
  path: string;
  /** The working file's content; null where it is gone. */
  digest: string | null;
  accepted: boolean;
}

/**
 * Lays out the definitions as the base has them, in a folder of our own, so that they are read as any project's are.
 * What a person accepted since is taken as accepted.
 */
export async function exportDefinitions(
  repository: Repository,
  base: string,
  acceptances: Acceptances,
  target: string,
): Promise<DefinitionDifference[]> {
  const [listed = '', working = ''] = await repository.runEach([
    listing(base, DEFINITION_FOLDERS),
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...DEFINITION_FOLDERS],
  ]);
  const entries = readEntries(listed)
    .filter(({ mode, path }) => mode.startsWith('100') && isDefinition(path))
    .slice(0, MAX_FILES);
  await exportFiles(
    repository,
    base,
    entries.map(({ path }) => path),
    target,
  );
  const differences: DefinitionDifference[] = [];
  const workingPaths = working.split('\0').filter((path) => path !== '' && isDefinition(path));
  for (const path of new Set([...entries.map((entry) => entry.path), ...workingPaths])) {
    const file = join(repository.root, path);
    const digest = isRegularFile(file) ? contentDigest(file) : null;
    if (digest === contentDigest(join(target, path))) continue;
    const accepted = acceptances.has(path, digest);
    differences.push({ path, digest, accepted });
    if (!accepted) continue;
    if (digest === null) rmSync(join(target, path), { force: true });
    else {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      copyFileSync(file, join(target, path));
    }
  }
  return differences;
}

/** Refuses definitions, as they are laid out, that came with commits of agents and that no person stands behind. */
export async function requirePersonsDefinitions(
  repository: Repository,
  { commit, persons }: Base,
  acceptances: Acceptances,
  target: string,
): Promise<void> {
  if (!persons) return;
  const changed = await changedByAgents(repository, commit, persons, DEFINITION_FOLDERS);
  const open = changed.filter((path) => {
    if (!isDefinition(path)) return false;
    const digest = contentDigest(join(target, path));
    return !acceptances.has(path, digest) && !persons.knows(path, digest);
  });
  const [first] = open;
  if (first === undefined) return;
  const shown = open.slice(0, 5).join(', ');
  const more = open.length > 5 ? ` and ${open.length - 5} more` : '';
  throw new GuardKitError({
    code: 'base.changed-by-agent',
    kind: 'refused',
    message: `The base ${commit.slice(0, 10)} defines this otherwise than the last commit that is known to be a person’s, by commits made while an agent acted: ${shown}${more}.`,
    hint: `A person looks at it and accepts it as it is with \`guardkit accept ${first}\`, or commits it while no agent acts.`,
  });
}

/** The rest of these folders is a project's own affair. */
function isDefinition(path: string): boolean {
  return (
    /^\.guardkit\/(?:config\.yaml|config\/[^/]+\.yaml|features\/[^/]+\.ya?ml)$/.test(path) ||
    /^tasks\/(?:[^/]+\/)*TASK-[^/]+\.md$/.test(path)
  );
}

function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
