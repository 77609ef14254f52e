import type { WorkOptions } from './build-work.ts';
import { readWorkFiles } from './read-work-files.ts';
import type { Work } from './work.ts';
import { sortFaults } from './work-fault.ts';

/** Reads everything that is to be done under a folder; what is wrong is told, and the rest stands. */
export async function readWork(root: string, options?: WorkOptions): Promise<Work> {
  const { files, faults } = readWorkFiles(root);
  // Loaded only here, since it brings the YAML parser with it.
  const { buildWork } = await import('./build-work.ts');
  const work = buildWork(files, options);
  return { ...work, faults: sortFaults([...faults, ...work.faults]) };
}
