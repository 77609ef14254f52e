import * as z from 'zod';
import {
  MAX_TRACE_TEXT,
  TRACE_TYPES,
  type TraceSource,
  traceContextSchema,
  traceEventSchema,
  traceSchema,
} from '../../domain/entities/trace.ts';
import { isWorkId } from '../../domain/entities/work-id.ts';
import { describeIssues } from '../../domain/json/describe-issues.ts';
import { withoutRecalled } from '../../domain/precedent-marks.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { traceId } from '../../store/ledger/outbox/trace-episode.ts';

/** A task's id, or a short description of the work. */
export const taskSchema = z.string().min(1).max(300).nullish();

/** A trace as a caller describes it. The caller does not choose its source. */
export const reportedTraceSchema = z.strictObject({
  type: z.enum(TRACE_TYPES),
  context: traceContextSchema.partial().extend({ task: taskSchema }).default({}),
  event: traceEventSchema,
  guard: traceSchema.shape.guard,
  attempted: traceSchema.shape.attempted,
});

export type ReportedTrace = z.input<typeof reportedTraceSchema>;

/** Records a caller's trace; memory gets it with the next delivery. */
export function recordTrace(
  ledger: Ledger,
  project: string,
  report: unknown,
  source: Extract<TraceSource, 'agent' | 'user_correction'>,
): { id: string } {
  const { type, context: about, event, guard, attempted } = parseReportedTrace(report);
  const { context, doing } = splitTask(about);
  const own = {
    what_happened: withoutRecalled(event.what_happened),
    what_was_correct: withoutRecalled(event.what_was_correct),
    why: [withoutRecalled(event.why), doing]
      .filter((text) => text !== '')
      .join('\n')
      .slice(0, MAX_TRACE_TEXT),
  };
  if (own.what_happened === '')
    throw new GuardKitError({
      code: 'trace.recalled',
      kind: 'refused',
      message: 'This only repeats what GuardKit recalled, which is already stored.',
      hint: 'Describe what happened now in your own words.',
    });
  const { number } = ledger.append(project, 'trace_recorded', {
    type,
    source,
    outcome: 'told',
    context,
    event: own,
    guard,
    attempted,
  });
  return { id: traceId(ledger.id, number) };
}

/** Only an id names a task; other words go into the reason, so that search finds them. */
function splitTask({ task, ...context }: z.infer<typeof reportedTraceSchema>['context']) {
  if (task === undefined || task === null) return { context, doing: '' };
  if (isWorkId(task)) return { context: { ...context, task }, doing: '' };
  return { context, doing: `Task: ${withoutRecalled(task)}` };
}

export function parseReportedTrace(report: unknown): z.infer<typeof reportedTraceSchema> {
  const parsed = reportedTraceSchema.safeParse(report);
  if (parsed.success) return parsed.data;
  throw new GuardKitError({
    code: 'trace.invalid',
    kind: 'input',
    message: `Invalid trace:\n${describeIssues(parsed.error)}`,
    hint: 'Give its type, and under `event` what_happened, what_was_correct and why. Nothing was recorded.',
  });
}
