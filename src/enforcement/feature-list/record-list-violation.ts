import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { isWorkId } from '../../domain/entities/work-id.ts';
import type { ListFault } from '../../domain/feature-list/feature-list.ts';
import { CONTROLLED_FIELDS } from '../../domain/feature-list/list-fields.ts';
import { FEATURE_LIST_PATH } from '../../domain/protection/protected-paths.ts';
import type { NewViolation } from '../../store/ledger/kinds/guards/violations.ts';
import { workOf } from '../actions/sessions.ts';
import { keepVersion } from '../restore/keep-version.ts';
import { statPath } from '../watch/watched-file.ts';
import type { ChangeActor } from './change-actor.ts';
import type { FeatureListContext, KnownList } from './known-list.ts';
import type { FoundList } from './list-file.ts';

/** Copies the found list, or moves the folder in its place, to the quarantine; null if nothing was kept. */
export function quarantineFound(
  { dataFolder, project, checkout }: FeatureListContext,
  found: FoundList,
): string | null {
  if (found.kind === 'absent') return null;
  const absolute = found.kind === 'file' ? `${checkout}/${FEATURE_LIST_PATH}` : found.path;
  const look = statPath(absolute);
  if (!look) return null;
  const content = found.kind === 'file' ? { content: found.bytes } : {};
  const version = { absolute, shown: FEATURE_LIST_PATH, mode: look.mode, ...content };
  const { quarantined } = keepVersion({ dataFolder, project }, version);
  // A folder in its place would block writing the list.
  if (found.kind !== 'file') rmSync(absolute, { recursive: true, force: true });
  return quarantined;
}

export interface ListViolation {
  faults: readonly ListFault[];
  known: KnownList | undefined;
  found: FoundList;
  quarantined: string | null;
}

/** Records a forbidden change by an agent; returns the entry's number. */
export function recordListViolation(
  { ledger, project }: FeatureListContext,
  { actor, action }: Extract<ChangeActor, { inWindow: true }>,
  { faults, known, found, quarantined }: ListViolation,
): number {
  const feature = faults.map((fault) => fault.feature).find(isWorkId);
  const violation: NewViolation = {
    session: actor.session,
    agent: actor.agent,
    agent_type: actor.type ?? null,
    guard: faults.some(isControlled) ? 'block-tested-true' : 'field-rights',
    what: `changed the feature list: ${describeListFaults(faults)}`,
    path: FEATURE_LIST_PATH,
    before_hash: known?.hash || null,
    found_hash: found.kind === 'file' ? hash('sha256', found.bytes) : null,
    quarantined,
    restored: true,
    action,
    ...workOf({ ledger, project }, actor.session),
    ...(feature === undefined ? {} : { feature }),
  };
  return ledger.append(project, 'violation_recorded', violation).number;
}

/** Records that a version with an unknown author was replaced. */
export function recordListRestore(
  { ledger, project, checkout }: FeatureListContext,
  { actor, action }: Extract<ChangeActor, { inWindow: true }>,
  { faults, found, quarantined }: ListViolation,
): void {
  ledger.append(project, 'file_restored', {
    path: FEATURE_LIST_PATH,
    absolute: `${checkout}/${FEATURE_LIST_PATH}`,
    checkout,
    session: actor.session,
    agent: actor.agent,
    agent_type: actor.type ?? null,
    action,
    reason: 'projection',
    what: `was changed: ${describeListFaults(faults)}`,
    found_hash: found.kind === 'file' ? hash('sha256', found.bytes) : null,
    found_mode: null,
    quarantined,
    restored_hash: null,
    restored_mode: null,
    during: 'between actions',
  });
}

/** A missing or unreadable list has lost the controlled fields too. */
function isControlled({ feature, field }: ListFault): boolean {
  const bare = field.trim().toLowerCase();
  return CONTROLLED_FIELDS.some((one) => one === bare) || (feature === '' && field === 'features');
}

const SHOWN = 5;

/** The first few, since the same mistake is often in every feature. */
export function describeListFaults(faults: readonly ListFault[]): string {
  const shown = faults
    .slice(0, SHOWN)
    .map(({ feature, why }) => (feature === '' ? why : `${feature}: ${why}`));
  return shown.join('; ') + (faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : '');
}
