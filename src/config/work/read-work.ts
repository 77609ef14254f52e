import type { WorkOptions } from './build-work.ts';
import { readWorkFiles } from './read-work-files.ts';
import type { Work } from './work.ts';
import { sortFaults } from './work-fault.ts';

/** Reads all tasks and features under a folder; faults are reported, and the rest is used. */
export async function readWork(root: string, options?: WorkOptions): Promise<Work> {
  const { files, faults } = readWorkFiles(root);
  // Loaded here, because it loads the YAML parser.
  const { buildWork } = await import('./build-work.ts');
  const work = buildWork(files, options);
  return { ...work, faults: sortFaults([...faults, ...work.faults]) };
}
