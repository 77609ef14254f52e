import { findCycles } from '../../domain/dependencies.ts';
import type { Feature } from '../../domain/entities/feature.ts';
import { type Failure, type Left, MAX_ATTEMPTS } from './session.ts';

/** What the machine is told of a feature. */
export type SessionFeature = Pick<
  Feature,
  'id' | 'priority' | 'status' | 'tested' | 'evidence' | 'retries' | 'dependencies' | 'closed'
> & {
  /** Of its attempts in earlier sessions. */
  failures?: readonly Failure[];
  /** Its next attempt was begun before and has no end. */
  unfinished?: boolean;
};

export interface Choice {
  /** Counted as done whatever is said of them. */
  completed?: readonly string[];
  /** Left alone whatever is said of them. */
  blocked?: readonly string[];
  /** Nothing but these is chosen; null for all. */
  only?: readonly string[] | null;
}

/** Done is what is merged, or what GuardKit has evidence for. */
export function isDone({ closed, status, tested, evidence }: SessionFeature): boolean {
  return closed || (status === 'completed' && tested && evidence.length > 0);
}

/** The most urgent feature that waits for nothing, the first of them in the list; null if there is none. */
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

/** Why something is left that waits for nothing. */
export const NOT_REACHED = 'it was not reached';

/** Why something is left that an earlier session gave up. */
export const BLOCKED_BEFORE = 'it was blocked before';

/** Those that are not done, each with what it waits for. */
export function findLeft(features: readonly SessionFeature[], choice: Choice = {}): Left[] {
  const done = doneIds(features, choice);
  const blocked = new Set(choice.blocked);
  const only = choice.only ? new Set(choice.only) : undefined;
  const known = new Map(features.map((one) => [one.id, one]));
  const open = features.filter(({ id }) => !done.has(id));
  const cycles = new Map(findCycles(open).flatMap((path) => path.map((id) => [id, path] as const)));
  const whyOf = (one: SessionFeature): string => {
    if (only && !only.has(one.id)) return 'it is not among the features that were asked for';
    if (one.status === 'blocked') return BLOCKED_BEFORE;
    if (one.retries >= MAX_ATTEMPTS) return `${one.retries} attempts have failed`;
    const cycle = cycles.get(one.id);
    if (cycle) return `it depends on itself: ${tellPath(cycle)}`;
    const missing = one.dependencies.find((other) => !done.has(other));
    if (missing === undefined) return NOT_REACHED;
    const other = known.get(missing);
    if (!other) return `it depends on ${missing}, which does not exist`;
    if (blocked.has(missing) || isBlocked(other)) return `it depends on ${missing}, which is blocked`;
    const unasked = only && !only.has(missing) ? ' and was not asked for' : '';
    return `it depends on ${missing}, which is not done${unasked}`;
  };
  return open.filter(({ id }) => !blocked.has(id)).map((one) => ({ feature: one.id, why: whyOf(one) }));
}

function doneIds(features: readonly SessionFeature[], { completed = [] }: Choice): Set<string> {
  const done = new Set(completed);
  for (const one of features) if (isDone(one)) done.add(one.id);
  return done;
}

/** Left to a person. */
export function isBlocked({ status, retries }: Pick<Feature, 'status' | 'retries'>): boolean {
  return status === 'blocked' || retries >= MAX_ATTEMPTS;
}

const MAX_TOLD = 6;

function tellPath(path: readonly string[]): string {
  const told = path.length > MAX_TOLD ? [...path.slice(0, MAX_TOLD - 1), '…', ...path.slice(-1)] : path;
  return told.join(' → ');
}

/** What every command says of a feature: one that no session would begin any more is blocked, whoever wrote what. */
export function shownStatus(feature: Pick<Feature, 'status' | 'retries' | 'closed'>): Feature['status'] {
  const { status, closed } = feature;
  return !closed && status !== 'completed' && isBlocked(feature) ? 'blocked' : status;
}

export interface NextFeature<Item> {
  /** Null where nothing can be done now. */
  next: Item | null;
  /** Every other one that is not done, and why it is not its turn. */
  waiting: Left[];
  /** How many are. */
  done: number;
}

/** What comes next, for whoever asks outside of a session. */
export function describeNext<Item extends SessionFeature>(features: readonly Item[]): NextFeature<Item> {
  const chosen = nextRunnable(features)?.id;
  const waiting = findLeft(features)
    .filter(({ feature }) => feature !== chosen)
    .map(({ feature, why }) => ({
      feature,
      // Out of a session nothing was reached, and what could be done comes later all the same.
      why: why === NOT_REACHED ? `it comes after ${chosen}` : why,
    }));
  return {
    next: features.find(({ id }) => id === chosen) ?? null,
    waiting,
    done: features.filter(isDone).length,
  };
}
