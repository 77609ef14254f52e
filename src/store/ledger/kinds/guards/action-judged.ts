import * as z from 'zod';
import { isDoctorSession } from '../../../../domain/doctor-session.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';
import { agentContext, type TraceInput, traceEpisodes } from '../../outbox/trace-episode.ts';

export const actionJudgedSchema = z.strictObject({
  session: z.string(),
  agent: z.string(),
  agent_type: z.string().nullable(),
  /** The agent's own id of the action; null if it has none, such as a stop. */
  action: z.string().nullable(),
  tool: z.string(),
  kind: z.string(),
  summary: z.string(),
  /** A normalized description of the action, equal for equal actions. */
  attempted: z.string().nullable().default(null),
  /** The agent's current work, if known. */
  feature: workIdSchema.nullable().default(null),
  task: workIdSchema.nullable().default(null),
  turn: z.int().min(1).nullable().default(null),
  decision: z.enum(['allow', 'warn', 'ask', 'deny']),
  /** The findings of all guards, strictest first. */
  findings: z.array(
    z.strictObject({
      guard: z.string(),
      decision: z.enum(['warn', 'ask', 'deny']),
      reason: z.string(),
      /** What to do instead. */
      guidance: z.string().default(''),
      /** Why the finding had no effect. */
      silent: z.enum(['shadow', 'waived']).nullable(),
      waiver: z.string().nullable(),
    }),
  ),
});

export type ActionJudged = z.infer<typeof actionJudgedSchema>;

/** An action with at least one finding. Actions without findings are not recorded. */
export const actionJudged = defineEntryKind<ActionJudged>({
  kind: 'action_judged',
  schema: actionJudgedSchema,
  freeText: ['summary', 'findings', 'attempted'],
  renamed: { attempt: 'attempted' },
  episodes: (entry) => traceEpisodes(entry, tracesOf(entry.body)),
});

const OUTCOMES = { warn: 'warned', ask: 'asked', deny: 'denied' } as const;

/** Findings of shadow guards and waived findings are not violations. */
function tracesOf(body: ActionJudged): TraceInput[] {
  if (body.decision === 'allow' || isDoctorSession(body.session)) return [];
  const effective = body.findings.filter(({ silent }) => silent === null);
  const first = effective[0];
  return [
    {
      type: 'violation',
      source: 'enforcement_hook',
      outcome: OUTCOMES[body.decision],
      context: agentContext(body),
      event: {
        what_happened: body.summary,
        what_was_correct: first?.guidance ?? '',
        why: effective
          .map(({ guard, reason }) => (guard === first?.guard ? reason : `${guard}: ${reason}`))
          .join('\n'),
      },
      guard: first?.guard ?? null,
      attempted: body.attempted ?? `${body.kind} ${body.tool}`,
      action: body.action,
    },
  ];
}
