import { hash as digest } from 'node:crypto';
import type { Feature } from '../../domain/entities/feature.ts';
import type { ListFault } from '../../domain/feature-list/feature-list.ts';
import { judgeListChange } from '../../domain/feature-list/judge-list-change.ts';
import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import type { Actor } from '../../guards/action.ts';
import { systemClock } from '../../platform/clock.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import {
  featuresNumber,
  readFeature,
  readFeatures,
  recordFeatures,
} from '../../store/ledger/tables/feature-table.ts';
import type { ChangeActor } from './change-actor.ts';
import { actingBeside } from './current-doer.ts';
import {
  type FeatureListContext,
  findKnownList,
  type KnownList,
  keepKnownList,
  keepListBlocks,
} from './known-list.ts';
import { type FoundList, listStamp, readListFile } from './list-file.ts';
import { forgetListText, isOwnListText } from './own-list-text.ts';
import { projectList } from './project-list.ts';
import { type ListChange, readListChange } from './read-list-change.ts';
import {
  type ListViolation,
  quarantineFound,
  recordListRestore,
  recordListViolation,
} from './record-list-violation.ts';

/** What came of a look at the list. */
export interface Reconciled {
  /** Nothing was found that GuardKit did not know. */
  unchanged: boolean;
  /** What did not stand, and is as it was again. */
  faults: readonly ListFault[];
  /** Ids of features that only the list had. */
  adopted: readonly string[];
  /** The list was written anew. */
  rewritten: boolean;
  /** Where the copy of what was found lies, relative to the quarantine. */
  quarantined: string | null;
  /** Of the entry, where an agent did what it must not. */
  violation: number | undefined;
}

const UNCHANGED: Reconciled = {
  unchanged: true,
  faults: [],
  adopted: [],
  rewritten: false,
  quarantined: null,
  violation: undefined,
};

/** Looks whether the list is as it was left, and sees to what is not. Costs next to nothing where nothing has changed. */
export function reconcileFeatureList(context: FeatureListContext, doer: ChangeActor): Reconciled {
  if (isAsLeft(context)) return UNCHANGED;
  // From here on nobody else changes the list or the features, and everything is read again.
  return inTransaction(context.ledger, () => look(context, doer));
}

/** Whether the list shows what it was left to show. */
export function isAsLeft(context: FeatureListContext): boolean {
  const { ledger, project, checkout } = context;
  const known = findKnownList(context);
  // One that was never here is nobody's doing, and is made only where it is asked for.
  if (known === undefined) return readListFile(checkout, systemClock()).kind === 'absent';
  if (known.stamp === '' || known.stamp !== listStamp(checkout)) return false;
  return known.number === featuresNumber(ledger, project);
}

function look(context: FeatureListContext, doer: ChangeActor): Reconciled {
  const known = findKnownList(context);
  const found = readListFile(context.checkout, systemClock());
  if (found.kind !== 'file') return restore(context, doer, known, found, goneFault(found));
  const change = readListChange(context, known, found.bytes, doer.inWindow);
  switch (change.kind) {
    case 'unreadable':
      return restore(context, doer, known, found, listFault(`the list cannot be read: ${change.why}`));
    case 'changed':
      return merge(context, doer, known, found, change);
    case 'same':
      if (known?.number === featuresNumber(context.ledger, context.project)) {
        keepKnownList(context, { ...known, stamp: found.stamp });
        return UNCHANGED;
      }
      // Features changed elsewhere.
      projectList(context, known ?? { absent: [], extra: {} });
      return { ...UNCHANGED, rewritten: true };
  }
}

function goneFault(found: Exclude<FoundList, { kind: 'file' }>): ListFault {
  return listFault(
    found.kind === 'absent' ? 'the list is gone' : `in place of the list there is ${found.what}`,
  );
}

function listFault(why: string): ListFault {
  const guidance = 'Leave the list where it is, and edit it so that it stays a JSON object with `features`.';
  return { feature: '', field: 'features', why, guidance };
}

/** There is no list that could be read: it is written again as it was. */
function restore(
  context: FeatureListContext,
  doer: ChangeActor,
  known: KnownList | undefined,
  found: FoundList,
  fault: ListFault,
): Reconciled {
  if (!known && found.kind === 'absent') return UNCHANGED;
  const features = readFeatures(context.ledger, context.project);
  // A person's own, of which there is nothing to make a list from.
  if (!known && !doer.inWindow && features.length === 0) return leave(context, found, fault);
  const quarantined = quarantineFound(context, found);
  projectList(context, known ?? { absent: [], extra: {} });
  const violation = recordListFault(context, doer, { faults: [fault], known, found, quarantined });
  return { unchanged: false, faults: [fault], adopted: [], rewritten: true, quarantined, violation };
}

function leave(context: FeatureListContext, found: FoundList, fault: ListFault): Reconciled {
  if (found.kind !== 'file') return UNCHANGED;
  const hash = digest('sha256', found.bytes);
  keepKnownList(context, { stamp: found.stamp, number: 0, hash, absent: [], extra: {} });
  keepListBlocks(context, null);
  return { ...UNCHANGED, unchanged: false, faults: [fault] };
}

function merge(
  context: FeatureListContext,
  doer: ChangeActor,
  known: KnownList | undefined,
  found: Extract<FoundList, { kind: 'file' }>,
  change: ListChange,
): Reconciled {
  const { ledger, project } = context;
  const editor: ListEditor = doer.inWindow
    ? { kind: 'agent', type: doer.actor.type, beside: actingBeside(context) }
    : { kind: 'person' };
  const { faults, adopted, changed, removed } = judgeListChange(
    change.before,
    change.after,
    editor,
    change.taken,
  );
  const before = featuresNumber(ledger, project);
  const number = recordFeatures(ledger, project, {
    by: doer.inWindow ? 'agent' : known ? 'person' : 'adopted',
    actor: doer.inWindow ? actorName(doer.actor) : 'person',
    features: changed,
    removed,
  });
  const { extra } = change.after;
  const absent = known?.absent ?? [];
  // It stands where it says what the ledger says; what was scrubbed, put back or changed elsewhere is written.
  if (faults.length === 0 && known?.number === before && !wasScrubbed(context, changed)) {
    keepKnownList(context, { stamp: found.stamp, number, hash: change.hash, absent, extra });
    keepListBlocks(context, change.blocks);
    forgetListText(context);
    return { ...UNCHANGED, unchanged: changed.length + removed.length === 0, adopted };
  }
  // What GuardKit had begun to write and the ledger took back is nobody's fault, and is as it was again all the same.
  const isOwn = known !== undefined && isOwnListText(context, found.bytes);
  if (isOwn) {
    projectList(context, { absent, extra });
    return { ...UNCHANGED, unchanged: false, adopted, rewritten: true };
  }
  const quarantined = faults.length > 0 || !known ? quarantineFound(context, found) : null;
  projectList(context, { absent, extra });
  const violation =
    faults.length > 0 ? recordListFault(context, doer, { faults, known, found, quarantined }) : undefined;
  return { unchanged: false, faults, adopted, rewritten: true, quarantined, violation };
}

function wasScrubbed({ ledger, project }: FeatureListContext, changed: readonly Feature[]): boolean {
  return changed.some((one) => JSON.stringify(readFeature(ledger, project, one.id)) !== JSON.stringify(one));
}

/** Only what is known to be an agent's is a violation. Where it is not known, that the list was restored is on record. */
function recordListFault(
  context: FeatureListContext,
  doer: ChangeActor,
  fault: ListViolation,
): number | undefined {
  if (!doer.inWindow) return undefined;
  if (doer.unknown !== true) return recordListViolation(context, doer, fault);
  recordListRestore(context, doer, fault);
  return undefined;
}

/** An agent and its kind, in a few words. */
export function actorName({ agent, type }: Actor): string {
  return type === undefined ? agent : `${agent} ${type.slice(0, 100)}`;
}
