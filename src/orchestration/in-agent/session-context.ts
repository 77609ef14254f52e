import { ENTITY_REGISTRY } from '../../domain/entities/entity-types.ts';
import { actorOfChange } from '../../enforcement/actions/observe-event.ts';
import type { ChangeActor } from '../../enforcement/feature-list/change-actor.ts';
import type { FeatureListContext } from '../../enforcement/feature-list/known-list.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import type { WatchContext } from '../../enforcement/watch/watch-context.ts';
import { systemClock } from '../../platform/clock.ts';
import { ENTRY_KIND_REGISTRY } from '../../store/ledger/chain/entry-kinds.ts';
import { Ledger } from '../../store/ledger/ledger.ts';
import type { SessionFilesContext } from '../session-record/apply-event.ts';

/** The collaborators of a session inside an agent program. */
export interface SessionContext {
  ledger: Ledger;
  project: string;
  /** Real path. */
  checkout: string;
  dataFolder: string;
  watch: WatchContext;
  list: FeatureListContext;
  changedBy: ChangeActor;
  env: NodeJS.ProcessEnv;
  now(): string;
}

/** Opens a ledger with all entry kinds; a hook's ledger has only those that hooks write. */
export function openSessionContext(work: HookContext, env: NodeJS.ProcessEnv): SessionContext {
  const ledger = new Ledger({
    file: work.watch.ledger.file,
    clock: systemClock,
    kinds: ENTRY_KIND_REGISTRY,
    entityTypes: ENTITY_REGISTRY,
  });
  const { project, checkout, dataFolder } = work.watch;
  return {
    ledger,
    project,
    checkout,
    dataFolder,
    watch: { ...work.watch, ledger },
    list: { ...work.list, ledger },
    changedBy: actorOfChange(work, null),
    env,
    now: () => new Date(systemClock()).toISOString(),
  };
}

export function sessionFilesOf({ list, changedBy, watch }: SessionContext): SessionFilesContext {
  return { list, changedBy, watch };
}
