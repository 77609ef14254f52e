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
  /** Whose doing it is that the list may have changed meanwhile. */
  doer: ChangeActor;
  /** Where given, `session-state.json` is known to be GuardKit's own also while agents act. */
  watch?: WatchContext | undefined;
}

export interface Applied {
  kept: KeptSession;
  /** What was recorded of it; undefined where it was refused. */
  moved: Extract<SessionEffect, { type: 'record' }> | undefined;
  /** What is to be done now, in this order. */
  acts: SessionAct[];
  /** Why the event was not for the session as it stands; undefined if it was. */
  refused: string | undefined;
  /** Why `session-state.json` could not be written; the session stands all the same. */
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
 * What an event makes of a session, its features and the chain: all of it or nothing. `details` gives what is kept besides,
 * by the session as it was and as it is then; the acts are for whoever called.
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

/** Where the projection lies. */
export function sessionStatePath(checkout: string): string {
  return join(checkout, SESSION_STATE_PATH);
}

/** What was decided, and what `session-state.json` says then. */
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

/** What agents have said. */
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

/** An attempt begins where another feature, or another attempt at it, is at work than before. */
function begun(before: Session, { session, feature, attempt }: Session): NewEntry[] {
  if (feature === null || (before.feature === feature && before.attempt === attempt)) return [];
  return [{ kind: 'attempt_began', body: { session_id: session, feature_id: feature, attempt } }];
}

/** In ledger and list. What somebody wrote into the list before is seen to first. */
function changeFeatures(
  { list, doer }: SessionFilesContext,
  changes: readonly SessionChange[],
  next: Session,
): void {
  const { ledger, project } = list;
  reconcileFeatureList(list, doer);
  for (const change of changes) {
    const before = readFeature(ledger, project, change.feature);
    // One that a person removed meanwhile has nothing left to change.
    if (!before) continue;
    recordFeatures(ledger, project, {
      by: 'session',
      actor: 'guardkit',
      features: [changedFeature(before, change, next)],
    });
  }
}

/** Last of all, so that nothing but the end of the transaction can fail after it. */
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
 * After what it shows is in the ledger, by which it is known as GuardKit's own whoever looks at it, and unless another
 * process has something newer to show.
 */
function writeState(ledger: Ledger, file: string, text: string): string | undefined {
  return inTransaction(ledger, () => {
    try {
      if (isOwnText(ledger, file, sha256(text))) writeProgressFile(file, text, { lasting: false });
      return undefined;
    } catch (error) {
      // Safe: the ledger has it, and whoever called tells.
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

/** What a change makes of its feature; `next` is the session after it. */
function changedFeature(before: Feature, change: SessionChange, next: Session): Feature {
  switch (change.type) {
    case 'begin_feature':
      // An agent's word that it is done stands until the gates have spoken.
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

/** What of a change goes into the chain beside the features themselves. */
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

/** What was verified may have been changed between the gates and now. */
function requireTested({ id, tested, evidence }: Feature): void {
  if (tested && evidence.length > 0) return;
  throw new GuardKitError({
    code: 'session.not-tested',
    kind: 'refused',
    message: `${id} is not tested any more, so it cannot be completed: it was changed after its verification.`,
    hint: `Verify it again with \`guardkit verify ${id}\`.`,
  });
}
