import type { EpisodeInput } from '../../../domain/entities/episode.ts';
import { projectGroup } from '../../../domain/entities/group.ts';
import { MAX_TRACE_TEXT, type Trace, type TraceContext, trace } from '../../../domain/entities/trace.ts';
import { bareAgentType } from '../../../domain/feature-list/list-rights.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import { withoutRecalled } from '../../../domain/precedent-marks.ts';
import type { RecordedEntry } from '../chain/entry-kind.ts';

/** The part of a trace that depends on the kind of entry. */
export interface TraceInput
  extends Pick<Trace, 'type' | 'source' | 'outcome'>,
    Partial<Pick<Trace, 'guard' | 'attempted' | 'action' | 'confidence' | 'quotes' | 'label'>> {
  context?: Partial<TraceContext>;
  event: { what_happened: string; what_was_correct?: string; why?: string };
  /** For a trace recorded several times; by default each entry has its own. */
  id?: string;
}

type Place = Pick<RecordedEntry<JsonObject>, 'ledger' | 'project' | 'number' | 'at'>;

/** The traces that the store receives for an entry. Built at delivery, so that no writer waits for it. */
export function traceEpisodes(entry: Place, inputs: readonly TraceInput[]): EpisodeInput[] {
  return inputs.map((input, index) => ({
    group: projectGroup(entry.project, 'traces'),
    entity_type: trace.type,
    entity_id: input.id ?? traceId(entry.ledger, entry.number, index),
    body: traceBody(input),
    // The episode's own source is the filterable one, so both must agree.
    source: input.source,
    valid_at: entry.at,
  }));
}

/** Always the same for an entry, and different on every machine. */
export function traceId(ledger: string, number: number, index = 0): string {
  return `TRACE-${ledger.slice(0, 12)}-${number}${index === 0 ? '' : `-${index + 1}`}`;
}

function traceBody(input: TraceInput): Trace {
  const {
    type,
    source,
    outcome,
    context = {},
    event,
    guard,
    attempted,
    action,
    confidence,
    quotes,
    label,
  } = input;
  return {
    type,
    source,
    outcome,
    context: {
      agent: context.agent ?? 'main',
      program: context.program ?? null,
      feature: context.feature ?? null,
      task: context.task ?? null,
      session: context.session ?? null,
      turn: context.turn ?? null,
    },
    event: {
      what_happened: cut(event.what_happened) || '(no description)',
      what_was_correct: cut(event.what_was_correct ?? ''),
      why: cut(event.why ?? ''),
    },
    guard: guard ?? null,
    attempted: attempted?.slice(0, MAX_NAME).toWellFormed() || null,
    action: action?.slice(0, MAX_NAME).toWellFormed() || null,
    confidence: confidence ?? 1,
    quotes: (quotes ?? []).slice(0, 2).map(cut),
    label: label ?? null,
  };
}

const MAX_NAME = 300;
/** Scrubbing may make a text longer, and it must still fit. */
const MAX_TEXT = MAX_TRACE_TEXT - 200;

function cut(text: string): string {
  const own = withoutRecalled(text.slice(0, 4 * MAX_TEXT)).trim();
  return own.length <= MAX_TEXT ? own : `${own.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}

/** The context of an entry about an agent. */
export function agentContext(
  body: { session: string; agent: string; agent_type: string | null } & Partial<
    Pick<TraceContext, 'feature' | 'task' | 'turn'>
  >,
): Partial<TraceContext> {
  return {
    agent: body.agent_type === null ? 'main' : bareAgentType(body.agent_type).slice(0, MAX_NAME) || 'main',
    program: body.agent || null,
    session: body.session || null,
    feature: body.feature ?? null,
    task: body.task ?? null,
    turn: body.turn ?? null,
  };
}
