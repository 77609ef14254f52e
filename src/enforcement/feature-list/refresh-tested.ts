import type { Feature } from '../../domain/entities/feature.ts';
import { isWorkId } from '../../domain/entities/work-id.ts';
import { OUTSIDE_THE_TREE } from '../../domain/protection/project-paths.ts';
import { snapshotTree } from '../../platform/git/git-tree.ts';
import { Repository } from '../../platform/git/repository.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { NewViolation } from '../../store/ledger/kinds/guards/violations.ts';
import {
  changeFeatures,
  falselyTested,
  featuresNumber,
  readFeatures,
  rebuildFeatures,
} from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';
import { reconcileFeatureList } from './reconcile-feature-list.ts';
import { untested } from './record-verification.ts';

export interface Refreshed {
  /** Ids of features that were tested at another tree than the files are now. */
  stale: string[];
  /** Ids of features that the ledger's table had as tested and its chain did not: somebody wrote into the ledger. */
  false: string[];
}

/** Takes `tested` back from features whose files have changed since. Reads the files only where there is something to lose. */
export async function refreshTested(context: FeatureListContext, doer: ChangeActor): Promise<Refreshed> {
  const { ledger, project, checkout } = context;
  const wrong = falselyTested(ledger, project);
  if (wrong.length > 0) rebuildFrom(context, doer, wrong);
  const open = readFeatures(ledger, project).filter((one) => isOpen(one, checkout));
  if (open.length === 0 && wrong.length === 0) return { stale: [], false: [] };
  const tree =
    open.length === 0 ? undefined : await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  // What was verified while the files were looked at is not among these.
  const stale = open.filter(({ tested_tree }) => tested_tree !== tree).map(key);
  return inTransaction(ledger, () => {
    reconcileFeatureList(context, doer);
    const lost: string[] = [];
    changeFeatures(ledger, project, (current) => {
      const changed = current.filter((one) => isOpen(one, checkout) && stale.includes(key(one)));
      lost.push(...changed.map(({ id }) => id));
      return { by: 'verification', actor: 'guardkit', features: changed.map(untested) };
    });
    const list = findKnownList(context);
    if (list && (wrong.length > 0 || list.number !== featuresNumber(ledger, project)))
      projectList(context, list);
    return { stale: lost, false: wrong };
  });
}

/** The chain is what holds. While an agent acts here, it is taken to have written into the table beside it. */
function rebuildFrom(
  { ledger, project }: FeatureListContext,
  doer: ChangeActor,
  wrong: readonly string[],
): void {
  inTransaction(ledger, () => {
    rebuildFeatures(ledger, project);
    if (!doer.inWindow) return;
    const violation: NewViolation = {
      session: doer.actor.session,
      agent: doer.actor.agent,
      agent_type: doer.actor.type ?? null,
      guard: 'block-tested-true',
      what: `wrote into the ledger that features are tested: ${wrong.slice(0, 10).join(', ')}`,
      path: ledger.path,
      before_hash: null,
      found_hash: null,
      quarantined: null,
      restored: true,
      action: doer.action,
      feature: wrong.find(isWorkId) ?? null,
    };
    ledger.append(project, 'violation_recorded', violation);
  });
}

function key({ id, tested_tree }: Feature): string {
  return `${id} ${tested_tree}`;
}

/** Tested here, and not yet where it was made for. */
function isOpen({ tested, closed, tested_in }: Feature, checkout: string): boolean {
  return tested && !closed && tested_in === checkout;
}
