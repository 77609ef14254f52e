import { join } from 'node:path';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { type Fault, readYamlFile } from '../yaml/yaml-file.ts';
import { type GuardDefinition, guardFileSchema } from './guard-file.ts';
import { GUARDS_FOLDER as FOLDER, guardFileNames } from './guard-files-stamp.ts';

export interface LocatedGuard {
  /** Relative to the project's folder. */
  file: string;
  definition: GuardDefinition;
  /** The file became unreadable; this is its last readable version. */
  stale: boolean;
}

export interface GuardFiles {
  guards: LocatedGuard[];
  faults: Fault[];
}

const MAX_FILES = 200;

/** Prefix of the ids of learned guards. */
export const LEARNED_PREFIX = 'learned-';

/**
 * Reads a project's guards. `taken`: ids that a project cannot use. While a file is unreadable, its `last` version stays in
 * force: a typo must not allow what the guard refuses.
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
      message: `${names.length} guard files, but only the first ${MAX_FILES} by name are read`,
    });
  return { guards, faults };
}

/** The fault of an unknown id in `guards:` of the configuration. */
export function unknownGuardId(id: string, known: readonly string[]): string | undefined {
  // Learned guards are in the ledger, and their settings may outlive them.
  if (known.includes(id) || id.startsWith(LEARNED_PREFIX)) return undefined;
  const near = nearestWord(id, known);
  return `no guard has the id "${id}"${didYouMean(near, '(')}`;
}

function takenId(id: string, taken: readonly string[], guards: readonly LocatedGuard[]): string | undefined {
  if (!taken.includes(id)) return undefined;
  const other = guards.find((one) => idOf(one) === id);
  return `id: ${id} is already used by ${other ? other.file : 'a built-in guard'}`;
}

function idOf({ definition }: LocatedGuard): string {
  return definition.id;
}
