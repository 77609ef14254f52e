import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWorkId } from '../../domain/entities/work-id.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { lockFeature } from '../feature-build/build-locks.ts';

/** Ends the agents of workers that were killed on this machine: taking a dead holder's lock ends its processes. */
export async function endLeftovers(home: string, project: string): Promise<void> {
  const folder = join(home, 'locks', project);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const feature = /^(.+)\.lock\.json$/.exec(name)?.[1];
    if (feature === undefined || !isWorkId(feature)) continue;
    try {
      (await lockFeature(home, project, feature)).release();
    } catch (error) {
      // A living worker has it.
      if (!(error instanceof GuardKitError && error.code === 'build.taken')) throw error;
    }
  }
}
