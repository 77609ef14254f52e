import { homedir } from 'node:os';
import { learnFromMemory } from '../../../learning/learn-from-memory.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { openBuild } from './open-build.ts';

type Opened = Pick<
  Awaited<ReturnType<typeof openBuild>>,
  'ledger' | 'store' | 'project' | 'repository' | 'env' | 'definition'
>;

/** Brings a build to memory and learns from it; what a person should know of that. */
export async function learnAfter({
  ledger,
  store,
  project,
  repository,
  env,
  definition,
}: Opened): Promise<string[]> {
  return learnFromMemory({
    ledger,
    store,
    project,
    root: repository.root,
    home: env.HOME || homedir(),
    learning: definition.config.learning,
    now: systemClock(),
  });
}
