import { findCycles } from '../../domain/dependencies.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { type Failure, type Left, MAX_ATTEMPTS } from './session.ts';

/** A feature as the session machine sees it. */
export type SessionFeature = Pick<
  Feature,
  'id' | 'priority' | 'status' | 'tested' | 'evidence' | 'retries' | 'dependencies' | 'closed'
> & {
  /** Failures of attempts in earlier sessions. */
  failures?: readonly Failure[];
  /** Its next attempt has started and not ended. */
  unfinished?: boolean;
};

export interface Choice {
  /** Counted as done regardless of their status. */
  completed?: readonly string[];
  /** Skipped regardless of their status. */
  blocked?: readonly string[];
  /** Only these are chosen; null for all. */
  only?: readonly string[] | null;
}

/** A feature is done if it is merged, or completed with evidence. */
export function isDone({ closed, status, tested, evidence }: SessionFeature): boolean {
  return closed || (status === 'completed' && tested && evidence.length > 0);
}

/** The most urgent feature without open dependencies (the first in the list); null if there is none. */
export function nextRunnable(
  features: readonly SessionFeature[],
  choice: Choice = {},
): SessionFeature | null {
  const done = doneIds(features, choice);
  const blocked = new Set(choice.blocked);
  const only = choice.only ? new Set(choice.only) : undefined;
  let best: SessionFeature | null = null;
  for (const one of features) {
    if (best && best.priority <= one.priority) continue;
    if (done.has(one.id) || blocked.has(one.id) || (only && !only.has(one.id)) || isBlocked(one)) continue;
    if (one.dependencies.every((other) => done.has(other))) best = one;
  }
  return best;
}

/** The reason for a feature without an obstacle. Sessions store it and commands compare it: do not reword. */
export const NOT_REACHED = 'it was not reached';

/** The reason for a feature that an earlier session blocked. Sessions store it and commands compare it: do not reword. */
export const BLOCKED_BEFORE = 'it was blocked before';

/** Unfinished features, each with the reason. */
export function findLeft(features: readonly SessionFeature[], choice: Choice = {}): Left[] {
  const done = doneIds(features, choice);
  const blocked = new Set(choice.blocked);
  const only = choice.only ? new Set(choice.only) : undefined;
  const known = new Map(features.map((one) => [one.id, one]));
  const open = features.filter(({ id }) => !done.has(id));
  const cycles = new Map(findCycles(open).flatMap((path) => path.map((id) => [id, path] as const)));
  const whyOf = (one: SessionFeature): string => {
    if (only && !only.has(one.id)) return 'it was not requested';
    if (one.status === 'blocked') return BLOCKED_BEFORE;
    if (one.retries >= MAX_ATTEMPTS) return `${one.retries} attempts failed`;
    const cycle = cycles.get(one.id);
    if (cycle) return `it depends on itself: ${formatPath(cycle)}`;
    const missing = one.dependencies.find((other) => !done.has(other));
    if (missing === undefined) return NOT_REACHED;
    const other = known.get(missing);
    if (!other) return `it depends on ${missing}, which does not exist`;
    if (blocked.has(missing) || isBlocked(other)) return `it depends on ${missing}, which is blocked`;
    const unrequested = only && !only.has(missing) ? ' and was not requested' : '';
    return `it depends on ${missing}, which is not done${unrequested}`;
  };
  return open.filter(({ id }) => !blocked.has(id)).map((one) => ({ feature: one.id, why: whyOf(one) }));
}

function doneIds(features: readonly SessionFeature[], { completed = [] }: Choice): Set<string> {
  const done = new Set(completed);
  for (const one of features) if (isDone(one)) done.add(one.id);
  return done;
}

/** Only a person can continue it. */
export function isBlocked({ status, retries }: Pick<Feature, 'status' | 'retries'>): boolean {
  return status === 'blocked' || retries >= MAX_ATTEMPTS;
}

const MAX_TOLD = 6;

function formatPath(path: readonly string[]): string {
  const told = path.length > MAX_TOLD ? [...path.slice(0, MAX_TOLD - 1), '…', ...path.slice(-1)] : path;
  return told.join(' → ');
}

/** The status to display: a feature that no session would start is blocked, even if its stored status differs. */
export function shownStatus(feature: Pick<Feature, 'status' | 'retries' | 'closed'>): Feature['status'] {
  const { status, closed } = feature;
  return !closed && status !== 'completed' && isBlocked(feature) ? 'blocked' : status;
}

export interface NextFeature<Item> {
  /** Null if nothing can be started now. */
  next: Item | null;
  /** Every other unfinished feature, and why it has to wait. */
  waiting: Left[];
  /** How many features are done. */
  done: number;
}

/** The next feature, for queries outside a session. */
export function describeNext<Item extends SessionFeature>(features: readonly Item[]): NextFeature<Item> {
  const chosen = nextRunnable(features)?.id;
  const waiting = findLeft(features)
    .filter(({ feature }) => feature !== chosen)
    .map(({ feature, why }) => ({
      feature,
      // Outside a session, a feature without an obstacle simply comes later.
      why: why === NOT_REACHED ? `it comes after ${chosen}` : why,
    }));
  return {
    next: features.find(({ id }) => id === chosen) ?? null,
    waiting,
    done: features.filter(isDone).length,
  };
}
