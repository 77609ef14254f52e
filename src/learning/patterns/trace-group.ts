import {
  isAuthorUnknown,
  type StoredTrace,
  type TraceOutcome,
  type TraceSource,
  type TraceType,
} from '../../domain/entities/trace.ts';
import { sha256 } from '../../domain/json/json.ts';

/** What traces of a source may lead to: a guard, or advice only. Undefined if they prove nothing. */
type TraceWeight = 'guard' | 'advice';

const BY_SOURCE: Record<TraceSource, TraceWeight | undefined> = {
  enforcement_hook: 'guard',
  user_correction: 'guard',
  auto_detected: 'guard',
  // Failing is part of the work, and a Coach is an agent too.
  gate: 'advice',
  coach: 'advice',
  // An agent that records its own traces could create any pattern.
  agent: undefined,
};

/** Traces below this confidence lead to advice only. */
const MIN_CONFIDENCE = 0.95;

type Weighed = Pick<StoredTrace, 'type' | 'source' | 'confidence' | 'label' | 'guard' | 'outcome'>;

/** Only mistakes of agents form patterns: not decisions, approvals or changes of unknown author. */
export function traceWeight(trace: Weighed): TraceWeight | undefined {
  const { type, source, confidence } = trace;
  if ((type !== 'violation' && type !== 'correction') || isAuthorUnknown(trace)) return undefined;
  const weight = BY_SOURCE[source];
  return weight === 'guard' && confidence < MIN_CONFIDENCE ? 'advice' : weight;
}

const MAX_WORD = 100;

/** The part of an attempt that must be equal: paths of edits vary, the program that is run does not. */
function attemptedThing(attempted: string | null): string {
  const words = (attempted ?? 'said').split(' ').map((word) => word.slice(0, MAX_WORD));
  const [kind = 'said'] = words;
  return kind === 'read' || kind === 'edit' || kind === 'write' ? kind : words.slice(0, 3).join(' ');
}

/** Traces in different buckets never form one pattern. */
export function traceBucket(
  { type, guard, context, attempted, source }: StoredTrace,
  weight: TraceWeight,
): string {
  const by = source === 'gate' ? 'gate' : source === 'coach' ? 'coach' : '';
  return JSON.stringify([weight, type, by, guard, context.agent, attemptedThing(attempted)]);
}

export interface TraceExample {
  trace: string;
  at: string;
  feature: string | null;
  session: string | null;
  what_happened: string;
}

/** Similar traces, with what is needed to place the next one. */
export interface TraceGroup {
  id: string;
  weight: TraceWeight;
  type: TraceType;
  agent: string;
  guard: string | null;
  attempted: string;
  /** Words of the first trace, which others are compared with. */
  words: readonly string[];
  count: number;
  outcomes: Partial<Record<TraceOutcome, number>>;
  sources: readonly string[];
  /** How often per session. Pairs, since a name may be anything. */
  sessions: readonly (readonly [name: string, times: number])[];
  features: readonly (readonly [name: string, times: number])[];
  /** How often on each of the last days. */
  days: readonly (readonly [day: string, times: number])[];
  firstAt: string;
  lastAt: string;
  examples: readonly TraceExample[];
  correct: readonly string[];
  attempts: readonly string[];
  actions: readonly { session: string; action: string }[];
}

const MAX_NAMES = 200;
const MAX_DAYS = 90;
const MAX_EXAMPLES = 3;
const MAX_ACTIONS = 20;
const MAX_TEXT = 300;

export function newTraceGroup(
  { type, context, guard, attempted, timestamp }: StoredTrace,
  { bucket, words, weight }: { bucket: string; words: readonly string[]; weight: TraceWeight },
): TraceGroup {
  return {
    id: `PATTERN-${sha256(JSON.stringify([bucket, words])).slice(0, 12)}`,
    weight,
    type,
    agent: context.agent,
    guard,
    attempted: attemptedThing(attempted),
    words,
    count: 0,
    outcomes: {},
    sources: [],
    sessions: [],
    features: [],
    days: [],
    firstAt: timestamp,
    lastAt: timestamp,
    examples: [],
    correct: [],
    attempts: [],
    actions: [],
  };
}

/** Marks a session in `features`. A feature id has no space, so the two cannot be confused. */
const SESSION_WORK = 'session ';

/** The features of a group, without the sessions that stand for unknown ones. */
export function knownFeatures({ features }: Pick<TraceGroup, 'features'>): string[] {
  return features.map(([name]) => name).filter((name) => !name.startsWith(SESSION_WORK));
}

/** The group with one more trace. */
export function withTrace(group: TraceGroup, trace: StoredTrace): TraceGroup {
  const { context, event, outcome, timestamp, attempted, action } = trace;
  const session = context.session ?? '';
  const example: TraceExample = {
    trace: trace.id,
    at: timestamp,
    feature: context.feature,
    session: context.session,
    what_happened: event.what_happened.slice(0, MAX_TEXT),
  };
  return {
    ...group,
    count: group.count + 1,
    outcomes: { ...group.outcomes, [outcome]: (group.outcomes[outcome] ?? 0) + 1 },
    sources: withName(group.sources, trace.source, 6),
    sessions: counted(group.sessions, session),
    // Without a feature, a session counts as a piece of work.
    features: counted(group.features, context.feature ?? `${SESSION_WORK}${session}`),
    days: counted(group.days, timestamp.slice(0, 10), MAX_DAYS),
    firstAt: earlier(timestamp, group.firstAt),
    lastAt: earlier(timestamp, group.lastAt) === timestamp ? group.lastAt : timestamp,
    examples: withExample(group.examples, example),
    correct: withName(group.correct, event.what_was_correct.slice(0, MAX_TEXT), MAX_EXAMPLES),
    attempts: withName(group.attempts, attempted ?? '', MAX_ACTIONS),
    actions:
      action === null || context.session === null
        ? group.actions
        : [...group.actions, { session: context.session, action }].slice(-MAX_ACTIONS),
  };
}

function earlier(one: string, other: string): string {
  return one.localeCompare(other) <= 0 ? one : other;
}

/** The first one and the last two. */
function withExample(examples: readonly TraceExample[], example: TraceExample): readonly TraceExample[] {
  const all = [...examples, example];
  return all.length <= MAX_EXAMPLES ? all : all.filter((_, index) => index !== 1);
}

function withName(names: readonly string[], name: string, limit: number): readonly string[] {
  return name === '' || names.includes(name) || names.length >= limit ? names : [...names, name];
}

/** Beyond the limit the oldest is dropped: only the number matters. */
function counted(
  pairs: readonly (readonly [string, number])[],
  name: string,
  limit = MAX_NAMES,
): readonly (readonly [string, number])[] {
  const index = pairs.findIndex(([one]) => one === name);
  if (index < 0) return [...pairs, [name, 1] as const].slice(-limit);
  return pairs.map((pair, at) => (at === index ? ([name, pair[1] + 1] as const) : pair));
}
