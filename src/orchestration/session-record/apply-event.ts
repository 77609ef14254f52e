import { join } from 'node:path';
import type { Feature } from '../../domain/entities/feature.ts';
import { type JsonObject, sha256 } from '../../domain/json/json.ts';
import { SESSION_STATE_PATH } from '../../domain/protection/protected-paths.ts';
import type { ChangeActor } from '../../enforcement/feature-list/change-actor.ts';
import { type FeatureListContext, findKnownList } from '../../enforcement/feature-list/known-list.ts';
import { writeProgressFile } from '../../enforcement/feature-list/list-file.ts';
import { projectList } from '../../enforcement/feature-list/project-list.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import { untested } from '../../enforcement/feature-list/record-verification.ts';
import { acceptOwnWrites, isOwnText, noteOwnText } from '../../enforcement/watch/own-writes.ts';
import type { WatchContext } from '../../enforcement/watch/watch-context.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger, NewEntry } from '../../store/ledger/ledger.ts';
import { featuresNumber, readFeature, recordFeatures } from '../../store/ledger/tables/feature-table.ts';
import { scrubBody } from '../../store/scrub-body.ts';
import { newSession, type Session, type SessionLimits, sessionSchema } from '../session/session.ts';
import type { SessionAct, SessionChange, SessionEffect } from '../session/session-effect.ts';
import type { SessionEvent } from '../session/session-event.ts';
import { transition } from '../session/transition.ts';
import { type KeptSession, keepSession, readKeptSession, unknownSession } from './kept-session.ts';

export interface SessionFilesContext {
  list: FeatureListContext;
  /** Who is recorded for changes to the list found meanwhile. */
  changedBy: ChangeActor;
  /** If set, `session-state.json` is accepted as GuardKit's own write while agents act. */
  watch?: WatchContext | undefined;
}

export interface Applied {
  kept: KeptSession;
  /** The recorded move; undefined if the event was refused. */
  moved: Extract<SessionEffect, { type: 'record' }> | undefined;
  /** Acts to perform, in order. */
  acts: SessionAct[];
  /** Why the event was refused; undefined if accepted. */
  refused: string | undefined;
  /** Why `session-state.json` could not be written; the event still counts. */
  unwritten: string | undefined;
}

export interface NewSession {
  id: string;
  at: string;
  driven_by: Session['driven_by'];
  limits: SessionLimits;
  agent_session: string | null;
  details: JsonObject;
}

export function startSession(context: SessionFilesContext, asked: NewSession): Applied {
  const { list } = context;
  const { id, at, driven_by, limits, agent_session, details } = asked;
  return settle(context, () => {
    const blank = { session: newSession(), began_at: at, checkout: list.checkout, agent_session, details };
    return apply(context, blank, { type: 'session_started', at, session: id, driven_by, limits });
  });
}

/**
 * Applies an event to a session, its features and the ledger in one transaction. `details` computes the details to store.
 * The caller performs the acts.
 */
export function applyEvent(
  context: SessionFilesContext,
  id: string,
  event: SessionEvent,
  { details }: { details?: (before: KeptSession, next: Session) => JsonObject } = {},
): Applied {
  const { ledger, project } = context.list;
  return settle(context, () => {
    const before = readKeptSession(ledger, project, id);
    if (!before) throw unknownSession(id);
    return apply(context, before, event, details);
  });
}

export function sessionStatePath(checkout: string): string {
  return join(checkout, SESSION_STATE_PATH);
}

/** `state` is the new text of `session-state.json`. */
type Decided = Omit<Applied, 'unwritten'> & { state: string | undefined };

function settle({ list, watch }: SessionFilesContext, work: () => Decided): Applied {
  const { state, ...applied } = inTransaction(list.ledger, work);
  if (state === undefined) return { ...applied, unwritten: undefined };
  const file = sessionStatePath(applied.kept.checkout);
  const unwritten = writeState(list.ledger, file, state);
  if (watch) acceptOwnWrites(watch, [file]);
  return { ...applied, unwritten };
}

function apply(
  context: SessionFilesContext,
  before: KeptSession,
  event: SessionEvent,
  details: (before: KeptSession, next: Session) => JsonObject = (known) => known.details,
): Decided {
  const { ledger, project } = context.list;
  const [next, effects] = transition(before.session, event);
  const session = sessionSchema.parse(scrubBody(next, SPOKEN));
  const kept = { ...before, session, details: details(before, session) };
  const id = session.session;
  const refusal = effects.find((one) => one.type === 'record_refusal');
  const changes = effects.filter(isChange);
  if (changes.length > 0) changeFeatures(context, changes, session);
  const entries: NewEntry[] = [
    ...effects.flatMap((effect) => entriesOf(id, effect)),
    ...changes.flatMap((change) => changeEntries(id, change)),
    ...begun(before.session, session),
  ];
  ledger.appendMany(project, entries);
  keepSession(ledger, project, kept);
  if (changes.length > 0) writeList(context.list);
  if (refusal) return { kept, moved: undefined, acts: [], refused: refusal.why, state: undefined };
  const moved = effects.find((one) => one.type === 'record');
  const state = stateText(kept, effects);
  if (state !== undefined) noteOwnText(ledger, sessionStatePath(kept.checkout), state);
  return { kept, moved, acts: effects.filter(isAct), refused: undefined, state };
}

/** Fields with agents' text, to be scrubbed of secrets. */
const SPOKEN = ['failures', 'objection', 'last_result', 'left'] as const;

function entriesOf(id: string, effect: SessionEffect): NewEntry[] {
  if (effect.type === 'record') {
    const { event, from, to, feature, attempt, result } = effect;
    const body = { session_id: id, event, from, to, feature_id: feature, attempt, result };
    return [{ kind: 'session_moved', body }];
  }
  if (effect.type !== 'record_refusal') return [];
  const { event, phase, why } = effect;
  return [{ kind: 'session_refused', body: { session_id: id, event, phase, why } }];
}

/** An attempt begins when the feature or the attempt number changes. */
function begun(before: Session, { session, feature, attempt }: Session): NewEntry[] {
  if (feature === null || (before.feature === feature && before.attempt === attempt)) return [];
  return [{ kind: 'attempt_began', body: { session_id: session, feature_id: feature, attempt } }];
}

/** Earlier edits of the list are reconciled first. */
function changeFeatures(
  { list, changedBy }: SessionFilesContext,
  changes: readonly SessionChange[],
  next: Session,
): void {
  const { ledger, project } = list;
  reconcileFeatureList(list, changedBy);
  for (const change of changes) {
    const before = readFeature(ledger, project, change.feature);
    // A person may have removed the feature meanwhile.
    if (!before) continue;
    recordFeatures(ledger, project, {
      by: 'session',
      actor: 'guardkit',
      features: [changedFeature(before, change, next)],
    });
  }
}

/** Called last, so that only the commit of the transaction can fail after it. */
function writeList(list: FeatureListContext): void {
  const known = findKnownList(list);
  if (known && known.number !== featuresNumber(list.ledger, list.project)) projectList(list, known);
}

function stateText(kept: KeptSession, effects: readonly SessionEffect[]): string | undefined {
  const projection = effects.findLast((one) => one.type === 'write_projection');
  const { last_result } = kept.session;
  return projection && `${JSON.stringify({ ...projection.content, last_result }, null, 2)}\n`;
}

/**
 * Written after the ledger, by which every process recognizes the text as GuardKit's own. Skipped if another process has
 * newer text.
 */
function writeState(ledger: Ledger, file: string, text: string): string | undefined {
  return inTransaction(ledger, () => {
    try {
      if (isOwnText(ledger, file, sha256(text))) writeProgressFile(file, text, { lasting: false });
      return undefined;
    } catch (error) {
      // Safe: the ledger has the state, and the caller reports the error.
      return error instanceof Error ? error.message : String(error);
    }
  });
}

const CHANGES: ReadonlySet<string> = new Set<SessionChange['type']>([
  'begin_feature',
  'count_failure',
  'complete_feature',
  'block_feature',
  'reopen_feature',
]);

function isChange(effect: SessionEffect): effect is SessionChange {
  return CHANGES.has(effect.type);
}

function isAct(effect: SessionEffect): effect is SessionAct {
  return !isChange(effect) && !['record', 'record_refusal', 'write_projection'].includes(effect.type);
}

/** The feature after a change; `next` is the session after it. */
function changedFeature(before: Feature, change: SessionChange, next: Session): Feature {
  switch (change.type) {
    case 'begin_feature':
      // An agent's claim that it is done stays until the gates have run.
      return next.phase === 'testing' ? before : { ...before, status: 'in_progress', blocked_reason: null };
    case 'count_failure': {
      const status = next.feature === before.id ? 'in_progress' : 'pending';
      return { ...before, retries: change.retries, status };
    }
    case 'complete_feature':
      requireTested(before);
      return { ...before, status: 'completed', blocked_reason: null, closed: true };
    case 'block_feature':
      return { ...before, status: 'blocked', blocked_reason: change.dossier.question };
    case 'reopen_feature':
      return { ...untested(before), status: 'pending' };
  }
}

/** The ledger entries of a change, in addition to the feature itself. */
function changeEntries(session: string, change: SessionChange): NewEntry[] {
  const of = { session_id: session, feature_id: change.feature };
  switch (change.type) {
    case 'begin_feature':
    case 'complete_feature':
      return [];
    case 'count_failure':
      return [{ kind: 'attempt_failed', body: { ...of, failure: change.failure } }];
    case 'block_feature': {
      const { attempts, question } = change.dossier;
      return [{ kind: 'feature_blocked', body: { ...of, attempts, question } }];
    }
    case 'reopen_feature':
      return [{ kind: 'feature_reopened', body: { ...of, why: change.why } }];
  }
}

/** The files may have changed since the gates ran. */
function requireTested({ id, tested, evidence }: Feature): void {
  if (tested && evidence.length > 0) return;
  throw new GuardKitError({
    code: 'session.not-tested',
    kind: 'refused',
    message: `Cannot complete ${id}: it changed after its verification.`,
    hint: `Verify it again with \`guardkit verify ${id}\`.`,
  });
}
