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
import { featuresWithoutEvidence } from '../../store/ledger/tables/features-without-evidence.ts';
import type { ChangeActor } from './change-actor.ts';
import { type FeatureListContext, findKnownList } from './known-list.ts';
import { projectList } from './project-list.ts';
import { reconcileFeatureList } from './reconcile-feature-list.ts';
import { untested } from './record-verification.ts';

export interface Refreshed {
  /** Ids of features that were tested at another tree. */
  stale: string[];
  /** Ids of features that are tested in the ledger's table without a signed record of it: the ledger was tampered with. */
  false: string[];
}

/** Clears `tested` of features whose files changed since. Reads the files only if a feature is tested. */
export async function refreshTested(context: FeatureListContext, changedBy: ChangeActor): Promise<Refreshed> {
  const { ledger, project, checkout } = context;
  const wrong = falselyTested(ledger, project);
  if (wrong.length > 0) rebuildFrom(context, changedBy, wrong);
  const ungrounded = featuresWithoutEvidence(ledger, project);
  const open = readFeatures(ledger, project).filter((one) => isOpen(one, checkout));
  if (open.length === 0 && wrong.length === 0 && ungrounded.length === 0) return { stale: [], false: [] };
  const tree =
    open.length === 0 ? undefined : await snapshotTree(await Repository.open(checkout), OUTSIDE_THE_TREE);
  // Features verified while the files are read are not among these.
  const stale = open.filter(({ tested_tree }) => tested_tree !== tree).map(key);
  return inTransaction(ledger, () => {
    reconcileFeatureList(context, changedBy);
    const lost: string[] = [];
    changeFeatures(ledger, project, (current) => {
      const changed = current.filter((one) => isOpen(one, checkout) && stale.includes(key(one)));
      lost.push(...changed.map(({ id }) => id));
      const groundless = current.filter((one) => one.tested && ungrounded.includes(one.id));
      const features = [...new Set([...changed, ...groundless])].map(untested);
      return { by: 'verification', actor: 'guardkit', features };
    });
    const list = findKnownList(context);
    if (list && (wrong.length > 0 || list.number !== featuresNumber(ledger, project)))
      projectList(context, list);
    return { stale: lost, false: [...new Set([...wrong, ...ungrounded])] };
  });
}

/** The chain decides. If an agent is acting here, it counts as the one that wrote into the table. */
function rebuildFrom(
  { ledger, project }: FeatureListContext,
  changedBy: ChangeActor,
  wrong: readonly string[],
): void {
  inTransaction(ledger, () => {
    rebuildFeatures(ledger, project);
    if (!changedBy.inWindow) return;
    const violation: NewViolation = {
      session: changedBy.actor.session,
      agent: changedBy.actor.agent,
      agent_type: changedBy.actor.type ?? null,
      guard: 'block-tested-true',
      what: `marked features as tested in the ledger’s table: ${wrong.slice(0, 10).join(', ')}`,
      path: ledger.path,
      before_hash: null,
      found_hash: null,
      quarantined: null,
      restored: true,
      action: changedBy.action,
      feature: wrong.find(isWorkId) ?? null,
    };
    ledger.append(project, 'violation_recorded', violation);
  });
}

function key({ id, tested_tree }: Feature): string {
  return `${id} ${tested_tree}`;
}

/** Tested in this checkout and not closed. */
function isOpen({ tested, closed, tested_in }: Feature, checkout: string): boolean {
  return tested && !closed && tested_in === checkout;
}
