import { join } from 'node:path';
import type { JsonObject } from '../../domain/json/json.ts';
import { projectFeatures } from '../../enforcement/feature-list/project-features.ts';
import { reconcileFeatureList } from '../../enforcement/feature-list/reconcile-feature-list.ts';
import { refreshTested } from '../../enforcement/feature-list/refresh-tested.ts';
import { tryLock } from '../../platform/processes/process-lock.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import type { SessionAct } from '../session/session-effect.ts';
import type { Happening, SessionEvent } from '../session/session-event.ts';
import { type Applied, applyEvent } from '../session-record/apply-event.ts';
import { type KeptSession, readKeptSession, unknownSession } from '../session-record/kept-session.ts';
import { sessionFeatures } from '../session-record/session-features.ts';
import { type SessionContext, sessionFilesOf } from './session-context.ts';
import { type Details, readDetails } from './session-details.ts';
import { settleFiles } from './set-aside-abandoned-work.ts';
import { verifyAll, verifyOne } from './verify-in-checkout.ts';

export interface Driven {
  kept: KeptSession;
  /** Acts for the agent. */
  acts: SessionAct[];
  refused: string | undefined;
}

/** Verifications take minutes, and not every hook has that time. */
export interface Patience {
  /** Null if there is no time now; the verification waits for a later hook. */
  verifyWithin: number | null;
}

/** More steps without an agent would be a bug; the limit ends the loop. */
const MAX_STEPS = 50;

/** Applies an event and performs GuardKit's acts until an agent has to act. */
export async function drive(
  context: SessionContext,
  id: string,
  happening: Happening,
  patience: Patience,
  change?: Partial<Details>,
): Promise<Driven> {
  const before = readKeptSession(context.ledger, context.project, id);
  if (!before) throw unknownSession(id);
  const removed = removedFeature(context, before);
  if (removed === null)
    return performActs(context, await settled(context, before, happening, change), patience);
  const removal: Happening = { type: 'feature_removed', feature: removed };
  const driven = await performActs(context, await settled(context, before, removal, change), patience);
  // A removed feature's event must not count for the next feature.
  if ('feature' in happening) return driven;
  return performActs(context, await settled(context, driven.kept, happening), patience);
}

/** The current feature, if a person removed it from the list meanwhile. */
function removedFeature(
  { ledger, project, list, changedBy }: SessionContext,
  kept: KeptSession,
): string | null {
  const { feature } = kept.session;
  if (feature === null) return null;
  reconcileFeatureList(list, changedBy);
  return readFeature(ledger, project, feature) ? null : feature;
}

/** Performs the acts of an applied event and of the events that follow from them. */
export async function performActs(
  context: SessionContext,
  first: Applied,
  patience: Patience,
): Promise<Driven> {
  let applied = first;
  const acts: SessionAct[] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    let next: Happening | undefined;
    for (const act of applied.acts) {
      const found = await perform(context, applied.kept, act, patience);
      if (found === undefined) acts.push(act);
      else next = found;
    }
    if (next === undefined) break;
    applied = await settled(context, applied.kept, next);
  }
  return { kept: applied.kept, acts, refused: first.refused };
}

/** Applies an event, then updates the working files. */
async function settled(
  context: SessionContext,
  before: KeptSession,
  next: Happening,
  change?: Partial<Details>,
): Promise<Applied> {
  const applied = apply(context, before.session.session, next, change);
  return { ...applied, kept: await settleFiles(context, applied.kept) };
}

function apply(
  context: SessionContext,
  id: string,
  happening: Happening,
  change: Partial<Details> = {},
): Applied {
  // The cast is safe: a happening is an event without its time.
  const event = { ...happening, at: context.now() } as SessionEvent;
  return applyEvent(sessionFilesOf(context), id, event, {
    details: (kept) => ({ ...readDetails(kept), ...change }) as unknown as JsonObject,
  });
}

/** The event that follows from an act of GuardKit; undefined for an agent's act. */
async function perform(
  context: SessionContext,
  kept: KeptSession,
  act: SessionAct,
  { verifyWithin }: Patience,
): Promise<Happening | undefined> {
  switch (act.type) {
    case 'read_features':
      return readAll(context);
    case 'verify':
      if (verifyWithin === null) return undefined;
      return alone(context, kept, () => verifyOne(context, readDetails(kept), act, verifyWithin));
    case 'verify_all':
      if (verifyWithin === null) return undefined;
      return alone(context, kept, () => verifyAll(context, readDetails(kept), act.features, verifyWithin));
    default:
      return undefined;
  }
}

async function readAll(context: SessionContext): Promise<Happening> {
  const { ledger, project, list, changedBy } = context;
  await projectFeatures(list, changedBy, { create: false });
  await refreshTested(list, changedBy);
  return { type: 'features_known', features: sessionFeatures(ledger, project) };
}

/** Two hooks of one session may start the same verification; only the first runs it. */
async function alone(
  { dataFolder }: SessionContext,
  { session }: KeptSession,
  work: () => Promise<Happening>,
): Promise<Happening | undefined> {
  const lock = tryLock(join(dataFolder, 'locks', `session-${session.session}.lock`));
  if (!lock) return undefined;
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: 'trouble_met', why: `Verification failed to run: ${why}` };
  } finally {
    lock.release();
  }
}
