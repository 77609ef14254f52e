import type { WorkOptions } from './build-work.ts';
import { decodeWorkFiles, readWorkFiles, type WorkFiles } from './read-work-files.ts';
import type { Work } from './work.ts';
import { sortFaults } from './work-fault.ts';

/** Reads all tasks and features under a folder; faults are reported, and the rest is used. */
export function readWork(root: string, options?: WorkOptions): Promise<Work> {
  return combine(readWorkFiles(root), options);
}

/** Same for files that are not on disk, such as those of a commit, by their path. */
export function decodeWork(contents: ReadonlyMap<string, Buffer>, options?: WorkOptions): Promise<Work> {
  return combine(decodeWorkFiles(contents), options);
}

async function combine({ files, faults }: WorkFiles, options?: WorkOptions): Promise<Work> {
  // Loaded here, because it loads the YAML parser.
  const { buildWork } = await import('./build-work.ts');
  const work = buildWork(files, options);
  return { ...work, faults: sortFaults([...faults, ...work.faults]) };
}
