import { hash as digest } from 'node:crypto';
import type { Feature } from '../../domain/entities/feature.ts';
import { type ListFault, readFeatureList } from '../../domain/feature-list/feature-list.ts';
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
import { actingSubagents, type ChangeActor } from './change-actor.ts';
import {
  type FeatureListContext,
  findKnownList,
  type KnownList,
  keepKnownList,
  keepListBlocks,
} from './known-list.ts';
import { type FoundList, forgetListText, isOwnListText, listStamp, readListFile } from './list-file.ts';
import { projectList } from './project-list.ts';
import { type ListChange, readListChange } from './read-list-change.ts';
import {
  type ListViolation,
  quarantineFound,
  recordListRestore,
  recordListViolation,
} from './record-list-violation.ts';

export interface Reconciled {
  /** The list had no changes. */
  unchanged: boolean;
  /** Rejected changes, which were reverted. */
  faults: readonly ListFault[];
  /** Ids of features that only the list had. */
  adopted: readonly string[];
  /** The list was rewritten. */
  rewritten: boolean;
  /** Copy of the found list, relative to the quarantine. */
  quarantined: string | null;
  /** Number of the ledger entry, if an agent broke a rule. */
  violation: number | undefined;
}

export const UNCHANGED: Reconciled = {
  unchanged: true,
  faults: [],
  adopted: [],
  rewritten: false,
  quarantined: null,
  violation: undefined,
};

/** Judges changes of the list: records the allowed ones and reverts the others. Very cheap if nothing changed. */
export function reconcileFeatureList(context: FeatureListContext, changedBy: ChangeActor): Reconciled {
  if (isListUnchanged(context, 'content')) return UNCHANGED;
  // In a transaction nobody else changes list or features; everything is read again.
  return inTransaction(context.ledger, () => reconcile(context, changedBy));
}

/**
 * Whether the list and the ledger's features are as of the last reconciliation. Its stamp tells this unless a program has
 * mapped the file into memory: writes to a mapping leave the stamp alone in a file system in memory, and on a disk while
 * earlier ones are not written back.
 */
export function isListUnchanged(context: FeatureListContext, by: 'stamp' | 'content'): boolean {
  const { ledger, project, checkout } = context;
  const known = findKnownList(context);
  // A list that never existed is not a change.
  if (known === undefined) return readListFile(checkout, systemClock()).kind === 'absent';
  if (known.stamp === '' || known.stamp !== listStamp(checkout)) return false;
  if (known.number !== featuresNumber(ledger, project)) return false;
  if (by === 'stamp') return true;
  const found = readListFile(checkout, systemClock());
  return found.kind === 'file' && readListChange(context, known, found.bytes, false).kind === 'same';
}

function reconcile(context: FeatureListContext, changedBy: ChangeActor): Reconciled {
  const known = findKnownList(context);
  const found = readListFile(context.checkout, systemClock());
  if (found.kind !== 'file') return restore(context, changedBy, known, found, goneFault(found));
  const change = readListChange(context, known, found.bytes, changedBy.inWindow);
  switch (change.kind) {
    case 'unreadable':
      return restore(context, changedBy, known, found, listFault(`the list cannot be read: ${change.why}`));
    case 'changed':
      return merge(context, changedBy, known, found, change);
    case 'same':
      if (known?.number === featuresNumber(context.ledger, context.project)) {
        keepKnownList(context, { ...known, stamp: found.stamp });
        return UNCHANGED;
      }
      if (isLeftFile(change.hash, found.bytes)) return replaceLeft(context, known, found);
      // Features changed elsewhere.
      projectList(context, known ?? { absent: [], extra: {} });
      return { ...UNCHANGED, rewritten: true };
  }
}

function goneFault(found: Exclude<FoundList, { kind: 'file' }>): ListFault {
  return listFault(
    found.kind === 'absent' ? 'the list was removed' : `the list was replaced by ${found.what}`,
  );
}

function listFault(why: string): ListFault {
  const guidance = 'Keep the list in its place, as a JSON object with `features`.';
  return { feature: '', field: 'features', why, guidance };
}

/** The list is missing or unreadable: it is written again from the ledger. */
function restore(
  context: FeatureListContext,
  changedBy: ChangeActor,
  known: KnownList | undefined,
  found: FoundList,
  fault: ListFault,
): Reconciled {
  if (!known && found.kind === 'absent') return UNCHANGED;
  const features = readFeatures(context.ledger, context.project);
  // A person's own file, and the ledger has no features to write.
  if (!known && !changedBy.inWindow && features.length === 0) return leave(context, found, fault);
  const quarantined = quarantineFound(context, found);
  projectList(context, known ?? { absent: [], extra: {} });
  const violation = recordListFault(context, changedBy, { faults: [fault], known, found, quarantined });
  return { unchanged: false, faults: [fault], adopted: [], rewritten: true, quarantined, violation };
}

function leave(context: FeatureListContext, found: FoundList, fault: ListFault): Reconciled {
  if (found.kind !== 'file') return UNCHANGED;
  const hash = digest('sha256', found.bytes);
  keepKnownList(context, { stamp: found.stamp, number: 0, hash, absent: [], extra: {} });
  keepListBlocks(context, null);
  return { ...UNCHANGED, unchanged: false, faults: [fault] };
}

/** Whether it is the file that `leave` left: known, but not a list. */
function isLeftFile(hash: string, bytes: Buffer): boolean {
  return hash !== '' && !readFeatureList(bytes.toString('utf8')).ok;
}

/** The ledger has features now, so the list takes the place of the file, which nobody changed meanwhile. */
function replaceLeft(
  context: FeatureListContext,
  known: KnownList | undefined,
  found: FoundList,
): Reconciled {
  const quarantined = quarantineFound(context, found);
  projectList(context, known ?? { absent: [], extra: {} });
  return { ...UNCHANGED, faults: [listFault('it was not a feature list')], rewritten: true, quarantined };
}

function merge(
  context: FeatureListContext,
  changedBy: ChangeActor,
  known: KnownList | undefined,
  found: Extract<FoundList, { kind: 'file' }>,
  change: ListChange,
): Reconciled {
  const { ledger, project } = context;
  const editor: ListEditor = changedBy.inWindow
    ? { kind: 'agent', type: changedBy.actor.type, beside: actingSubagents(context) }
    : { kind: 'person' };
  const { faults, adopted, changed, removed } = judgeListChange(
    change.before,
    change.after,
    editor,
    change.taken,
  );
  const before = featuresNumber(ledger, project);
  const number = recordFeatures(ledger, project, {
    by: changedBy.inWindow ? 'agent' : known ? 'person' : 'adopted',
    actor: changedBy.inWindow ? actorName(changedBy.actor) : 'person',
    features: changed,
    removed,
  });
  const { extra } = change.after;
  const absent = known?.absent ?? [];
  // The file stays if it matches the ledger; it is rewritten after scrubbing, a revert or a change elsewhere.
  if (faults.length === 0 && known?.number === before && !wasScrubbed(context, changed)) {
    keepKnownList(context, { stamp: found.stamp, number, hash: change.hash, absent, extra });
    keepListBlocks(context, change.blocks);
    forgetListText(context);
    return { ...UNCHANGED, unchanged: changed.length + removed.length === 0, adopted };
  }
  // An interrupted write of GuardKit's own is nobody's fault; the list is rewritten all the same.
  const isOwn = known !== undefined && isOwnListText(context, found.bytes);
  if (isOwn) {
    projectList(context, { absent, extra });
    return { ...UNCHANGED, unchanged: false, adopted, rewritten: true };
  }
  const quarantined = faults.length > 0 || !known ? quarantineFound(context, found) : null;
  projectList(context, { absent, extra });
  const violation =
    faults.length > 0
      ? recordListFault(context, changedBy, { faults, known, found, quarantined })
      : undefined;
  return { unchanged: false, faults, adopted, rewritten: true, quarantined, violation };
}

function wasScrubbed({ ledger, project }: FeatureListContext, changed: readonly Feature[]): boolean {
  return changed.some((one) => JSON.stringify(readFeature(ledger, project, one.id)) !== JSON.stringify(one));
}

/** Only an agent's change is a violation. With an unknown author, only the restore is recorded. */
function recordListFault(
  context: FeatureListContext,
  changedBy: ChangeActor,
  fault: ListViolation,
): number | undefined {
  if (!changedBy.inWindow) return undefined;
  if (changedBy.unknown !== true) return recordListViolation(context, changedBy, fault);
  recordListRestore(context, changedBy, fault);
  return undefined;
}

export function actorName({ agent, type }: Actor): string {
  return type === undefined ? agent : `${agent} ${type.slice(0, 100)}`;
}
