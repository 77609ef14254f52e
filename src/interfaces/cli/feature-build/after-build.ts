import { homedir } from 'node:os';
import type { LearningConfig } from '../../../config/project/learning-config.ts';
import type { StoreSettings } from '../../../config/project/workspace.ts';
import { readWork } from '../../../config/work/read-work.ts';
import { learnFromMemory } from '../../../learning/learn.ts';
import type { BuildRequest } from '../../../orchestration/feature-build/build-feature.ts';
import { pruneTurns, retentionLimits } from '../../../orchestration/retention/prune-turns.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Repository } from '../../../platform/git/repository.ts';
import { knownTaskTypes } from '../../../rules/resolve-quality-gates.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import type { Ledger } from '../../../store/ledger/ledger.ts';
import { openStore } from '../../../store/open-store.ts';

interface Built {
  ledger: Ledger;
  store: StoreSettings;
  project: string;
  repository: Repository;
  env: NodeJS.ProcessEnv;
}

/** Delivers the build to memory and learns from it; returns notices for the person. */
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

type Build = Pick<
  BuildRequest,
  'home' | 'project' | 'repository' | 'ledger' | 'store' | 'definition' | 'sources' | 'clock'
>;

/** After each turn, archives old turns of complete features. Without the store nothing is archived. */
export function pruneAfterTurn(build: Build, notice: (text: string) => void) {
  let store: EpisodeStore | undefined;
  let isAway = false;
  return {
    afterTurn: async () => {
      if (isAway) return;
      try {
        store ??= await openStore(build.store);
        const { turns } = await pruneTurns({
          ...build,
          store,
          limits: retentionLimits(build.definition.config),
          work: () => readWork(build.repository.root, { taskTypes: knownTaskTypes(build.sources) }),
          building: build.definition.feature.id,
        });
        if (turns.length > 0) notice(`${turns.length} old turns were archived`);
      } catch (error) {
        // Safe: the turns stay and are archived next time.
        isAway = true;
        notice(`old turns were not archived: ${error instanceof Error ? error.message : error}`);
      }
    },
    close: async () => store?.close(),
  };
}
