import { type StoredTrace, TRACE_OUTCOMES } from '../../domain/entities/trace.ts';
import { oneLine, withoutTags } from '../../domain/json/clean-text.ts';
import { recalledMark } from '../../domain/recalled.ts';

/** Something from memory that an agent may learn from before it decides. */
export interface Precedent {
  id: string;
  /** The same for what teaches the same. */
  sameness: string;
  /** How much it matters here; the highest is shown first. */
  rank: number;
  /** One line, harmless, without its mark. */
  line: string;
}

const MAX_SAID = 160;

/** What a trace teaches, in a line. `alike` are the traces that teach the same, itself among them. */
export function traceLine(trace: StoredTrace, alike: readonly Pick<StoredTrace, 'outcome'>[]): string {
  const { context, event, guard } = trace;
  const by = guard === null ? '' : ` (${guard})`;
  const right = event.what_was_correct === '' ? event.why : event.what_was_correct;
  return [
    `${outcomeCounts(alike)}${by}, ${context.agent}: ${oneLine(event.what_happened, MAX_SAID)}`,
    ...(right === '' ? [] : [`Right is: ${oneLine(right, MAX_SAID)}`]),
  ].join(' — ');
}

/** How often each outcome came of it: a warning is not a denial. */
function outcomeCounts(alike: readonly Pick<StoredTrace, 'outcome'>[]): string {
  const counts = TRACE_OUTCOMES.map((outcome) => ({
    name: outcome.replace('_', ' '),
    times: alike.filter((one) => one.outcome === outcome).length,
  })).filter(({ times }) => times > 0);
  if (counts.length === 1 && counts[0]?.times === 1) return counts[0].name;
  return counts.map(({ name, times }) => `${times === 1 ? 'once' : `${times} times`} ${name}`).join(', ');
}

/** Texts that differ only in numbers, ids and paths are taken for the same. */
export function samenessOf({ guard, attempted, event, outcome }: StoredTrace): string {
  const words = event.what_happened
    .toLowerCase()
    .slice(0, 200)
    .replace(/[^\p{L} ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 60);
  return `${guard ?? outcome} ${attempted ?? ''} ${guard === null || attempted === null ? words : ''}`;
}

/** No words of a trace can end the block that it is shown in. */
export function markedLine({ id, line }: Precedent): string {
  return `- ${recalledMark(id)} ${withoutTags(line)}`;
}
