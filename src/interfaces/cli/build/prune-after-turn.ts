import { readWork } from '../../../config/work/read-work.ts';
import type { BuildRequest } from '../../../orchestration/feature-build/build-feature.ts';
import { pruneTurns, retentionLimits } from '../../../orchestration/retention/prune-turns.ts';
import { knownTaskTypes } from '../../../rules/resolve-quality-gates.ts';
import type { EpisodeStore } from '../../../store/episode-store.ts';
import { openStore } from '../../../store/open-store.ts';

type Build = Pick<
  BuildRequest,
  'home' | 'project' | 'repository' | 'ledger' | 'store' | 'definition' | 'sources' | 'clock'
>;

/** After each turn, lets memory go of old turns of complete features. A store that is away keeps them all. */
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
        if (turns.length > 0) notice(`${turns.length} old turns are in the archive now`);
      } catch (error) {
        // Safe: what is not let go of is still there, for the next time.
        isAway = true;
        notice(`old turns were not cleared out: ${error instanceof Error ? error.message : error}`);
      }
    },
    close: async () => store?.close(),
  };
}
