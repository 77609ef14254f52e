import { join } from 'node:path';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { type Fault, readYamlFile } from '../yaml/yaml-file.ts';
import { type GuardDefinition, guardFileSchema } from './guard-file.ts';
import { GUARDS_FOLDER as FOLDER, guardFileNames } from './guard-files-stamp.ts';

export interface LocatedGuard {
  /** Relative to the project's folder. */
  file: string;
  definition: GuardDefinition;
  /** The file can no longer be read; this is how it was read last. */
  stale: boolean;
}

export interface GuardFiles {
  guards: LocatedGuard[];
  faults: Fault[];
}

const MAX_FILES = 200;

/** What ids of guards begin with that were made of patterns. */
export const LEARNED_PREFIX = 'learned-';

/**
 * Reads a project's guards. `taken` are ids that a project cannot use. What a file said when it was `last` read holds
 * for as long as it cannot be read: a slip in a file must not let pass what it was made to refuse.
 */
export async function readGuardFiles(
  root: string,
  taken: readonly string[],
  last: readonly LocatedGuard[] = [],
): Promise<GuardFiles> {
  const guards: LocatedGuard[] = [];
  const faults: Fault[] = [];
  const names = guardFileNames(root);
  for (const name of names.slice(0, MAX_FILES)) {
    const file = `${FOLDER}/${name}`;
    const result = await readYamlFile(join(root, file), guardFileSchema);
    const fault = result.ok ? takenId(result.value.id, [...taken, ...guards.map(idOf)], guards) : undefined;
    if (result.ok && fault === undefined) {
      guards.push({ file, definition: result.value, stale: false });
      continue;
    }
    if (result.ok)
      faults.push({
        file: join(root, file),
        ...result.places.placeOf(['id']),
        code: 'duplicate-id',
        message: fault ?? '',
      });
    else faults.push(...result.faults);
    const known = last.find((one) => one.file === file);
    if (known && !guards.some((one) => idOf(one) === idOf(known))) guards.push({ ...known, stale: true });
  }
  if (names.length > MAX_FILES)
    faults.push({
      file: join(root, FOLDER),
      line: 1,
      column: 1,
      code: 'too-many-files',
      message: `there are ${names.length} guards, and only the first ${MAX_FILES} by name are read`,
    });
  return { guards, faults };
}

/** What is wrong with an id of the configuration's `guards:` that no guard has. */
export function unknownGuardId(id: string, known: readonly string[]): string | undefined {
  // Those that were learned are in the ledger, and what is said of one may outlive it.
  if (known.includes(id) || id.startsWith(LEARNED_PREFIX)) return undefined;
  const near = nearestWord(id, known);
  return `no guard has the id "${id}"${didYouMean(near, '; ')}`;
}

function takenId(id: string, taken: readonly string[], guards: readonly LocatedGuard[]): string | undefined {
  if (!taken.includes(id)) return undefined;
  const other = guards.find((one) => idOf(one) === id);
  return `id: ${id} is taken by ${other ? other.file : 'a guard of GuardKit itself'}`;
}

function idOf({ definition }: LocatedGuard): string {
  return definition.id;
}
