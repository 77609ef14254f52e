import type { Pattern } from '../../domain/entities/pattern.ts';
import type { PatternThresholds } from '../learning-settings.ts';
import { ALIKE } from './place-traces.ts';
import { knownFeatures, type TraceGroup } from './trace-group.ts';

/** The most traces that count per session, however often it repeats the same. */
export const MAX_PER_SESSION = 2;

const MAX_FEATURES = 20;
const MAX_WHAT = 240;
const DAY_MS = 86_400_000;

/** Counts a group for comparison with the thresholds. */
export function measureGroup({ sessions, features }: Pick<TraceGroup, 'sessions' | 'features'>) {
  return {
    count: sessions.reduce((sum, [, times]) => sum + Math.min(times, MAX_PER_SESSION), 0),
    features: features.length,
    sessions: sessions.length,
  };
}

/** The pattern of a group that reaches the thresholds. */
export function patternOfGroup(group: TraceGroup, thresholds: PatternThresholds): Pattern | undefined {
  const measured = measureGroup(group);
  if (
    measured.count < thresholds.count ||
    measured.features < thresholds.features ||
    measured.sessions < thresholds.sessions
  )
    return undefined;
  const { recent, before } = weeklyCounts(group);
  return {
    pattern_id: group.id,
    what: sentence(group),
    type: group.type,
    agent: group.agent,
    guard: group.guard,
    attempted: group.attempted,
    count: group.count,
    features: knownFeatures(group).slice(-MAX_FEATURES),
    sessions: group.sessions.length,
    first_at: group.firstAt,
    last_at: group.lastAt,
    trend: trendOf(group, recent, before),
    recent,
    before,
    examples: [...group.examples],
    correct: [...group.correct],
    attempts: [...group.attempts],
    actions: [...group.actions],
    suggests: suggestions(group),
    because: reasons(group, measured, thresholds),
    weight: group.weight,
    origin: null,
  };
}

/** Relative to its last day, so that the result does not depend on the current time. */
function weeklyCounts({ days, lastAt }: TraceGroup): { recent: number; before: number } {
  const end = Date.parse(lastAt.slice(0, 10));
  const within = (from: number, to: number) =>
    days
      .filter(([day]) => {
        const age = (end - Date.parse(day)) / DAY_MS;
        return age >= from && age < to;
      })
      .reduce((sum, [, times]) => sum + times, 0);
  return { recent: within(0, 7), before: within(7, 14) };
}

function trendOf({ firstAt, lastAt }: TraceGroup, recent: number, before: number): Pattern['trend'] {
  if (Date.parse(lastAt) - Date.parse(firstAt) < 7 * DAY_MS) return 'new';
  if (recent === before) return 'steady';
  return recent > before ? 'rising' : 'falling';
}

function sentence({ type, agent, guard, attempted, count, examples, correct, attempts }: TraceGroup): string {
  const [only] = attempts.length === 1 ? attempts : [];
  const tried = only ?? attempted;
  const who = agent === 'main' ? 'The main agent' : agent;
  const times = `${count} times`;
  const text =
    type === 'correction'
      ? `${who} was corrected ${times}: ${correct[0] ?? examples[0]?.what_happened ?? tried}`
      : `${who} violated ${guard ?? 'a rule'} ${times} (${tried}): ${examples[0]?.what_happened ?? ''}`;
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_WHAT).toWellFormed();
}

function suggestions(group: TraceGroup): Pattern['suggests'] {
  const { guard, outcomes, weight, attempted, type } = group;
  const found: Pattern['suggests'] = [];
  const passed = (outcomes.warned ?? 0) + (outcomes.restored ?? 0) + (outcomes.not_restored ?? 0);
  if (weight === 'guard' && guard !== null && passed > 0)
    found.push({
      what: 'stronger_enforcement',
      why: `${guard} only warned, or detected it afterwards, ${passed} times; refusing it beforehand costs nothing.`,
    });
  if (weight === 'guard' && attempted !== 'said' && attempted !== 'stop' && !attempted.startsWith('spawn'))
    found.push({
      what: 'new_guard',
      why: 'The attempted action is specific enough to refuse just that.',
    });
  found.push({
    what: 'prompt_line',
    why:
      type === 'correction'
        ? 'Each time a person had to fix it; a line in the prompt can prevent that.'
        : 'Agents of this kind repeat it; a line in their prompt is cheaper than a refusal.',
  });
  return found;
}

function reasons(
  { count, weight, guard, sources }: TraceGroup,
  measured: PatternThresholds,
  needed: PatternThresholds,
): string {
  return [
    `${count} traces from ${sources.join(', ')}, of which ${measured.count} count (at most ${MAX_PER_SESSION} per session), in ${measured.features} features or pieces of work and ${measured.sessions} sessions; the thresholds are ${needed.count}, ${needed.features} and ${needed.sessions}.`,
    `They have the same kind of agent${guard === null ? '' : ', the same guard'} and the same attempted action, and share at least ${ALIKE * 100}% of their words with the first.`,
    weight === 'advice' ? 'They are judgements rather than refusals, so they only lead to advice.' : '',
  ]
    .filter((line) => line !== '')
    .join(' ');
}
