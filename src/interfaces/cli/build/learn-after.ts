import { homedir } from 'node:os';
import type { LearningConfig } from '../../../config/project/learning-config.ts';
import type { StoreSettings } from '../../../config/project/workspace.ts';
import { learnFromMemory } from '../../../learning/learn.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';

interface Built {
  ledger: Ledger;
  store: StoreSettings;
  project: string;
  repository: Repository;
  env: NodeJS.ProcessEnv;
}

/** Brings what was built to memory and learns from it; what a person should know of that. */
export async function learnAfter(
  { ledger, store, project, repository, env }: Built,
  learning: LearningConfig | undefined,
): Promise<string[]> {
  return learnFromMemory({
    ledger,
    store,
    project,
    root: repository.root,
    home: env.HOME || homedir(),
    learning,
    now: systemClock(),
  });
}
