import * as z from 'zod';
import { SESSION_PHASES, type SessionPhase } from '../../domain/entities/session-state.ts';
import { workIdSchema } from '../../domain/entities/work-id.ts';
import { timestampSchema } from '../../domain/timestamp.ts';
import { type Failure, failureSchema } from '../../store/ledger/kinds/sessions/attempts.ts';

/** The second attempt that fails blocks the feature. */
export const MAX_ATTEMPTS = 2;

export type { Failure };

export const LIMITS = ['until', 'budget', 'max_features'] as const;

export type Limit = (typeof LIMITS)[number];

export const END_REASONS = [
  'all_done',
  'nothing_runnable',
  'reopened',
  ...LIMITS,
  'no_features',
  'abandoned',
] as const;

export type EndReason = (typeof END_REASONS)[number];

export const PAUSES = ['person', 'prompt', 'cancelled', 'trouble', 'no_progress', 'block_limit'] as const;

export type Pause = (typeof PAUSES)[number];

const leftSchema = z.strictObject({ feature: z.string(), why: z.string() });

/** An unfinished feature at the end of a session, and why. */
export type Left = z.infer<typeof leftSchema>;

const limitsSchema = z.strictObject({
  until: timestampSchema.nullable(),
  max_features: z.int().min(1).nullable(),
  budget_usd: z.number().min(0).nullable(),
  /** Only these features; null for all. */
  only: z.array(workIdSchema).nullable(),
});

export type SessionLimits = z.infer<typeof limitsSchema>;

/** Overrides the limits with the named ones; null keeps the old limit. */
export function withNamedLimits(before: SessionLimits, named: SessionLimits): SessionLimits {
  const { until, max_features, budget_usd, only } = named;
  return {
    until: until ?? before.until,
    max_features: max_features ?? before.max_features,
    budget_usd: budget_usd ?? before.budget_usd,
    only: only ?? before.only,
  };
}

const ids = z.array(workIdSchema);

/** The machine's state between two events; small, because it is stored at every event. */
export const sessionSchema = z.strictObject({
  session: z.string(),
  /** `run`: GuardKit starts the agents. `hooks`: an orchestrating agent does, and is told what is next. */
  driven_by: z.enum(['run', 'hooks']),
  phase: z.enum(SESSION_PHASES),
  since: timestampSchema,
  /** Number of accepted events. */
  step: z.int().min(0),
  limits: limitsSchema,
  feature: workIdSchema.nullable(),
  attempt: z.int().min(0),
  /** Failures of the current feature, or of the initializer. */
  failures: z.array(failureSchema),
  /** The tester's objection; it fails the attempt even if verification passes. */
  objection: z.string().nullable(),
  completed: ids,
  blocked: ids,
  reopened: ids,
  left: z.array(leftSchema),
  left_count: z.int().min(0),
  spent_usd: z.number().min(0),
  /** How often the orchestrating agent tried to stop since the last progress. */
  stops: z.int().min(0),
  /** The phase that `paused` and `waiting` return to. */
  suspended: z.enum(SESSION_PHASES).nullable(),
  pause: z.enum(PAUSES).nullable(),
  wait_until: timestampSchema.nullable(),
  /** The reached limit; nothing further is started. */
  limit: z.enum(LIMITS).nullable(),
  end: z.enum(END_REASONS).nullable(),
  last_result: z.string().nullable(),
});

export type Session = z.infer<typeof sessionSchema>;

export const NO_LIMITS: SessionLimits = { until: null, max_features: null, budget_usd: null, only: null };

export function newSession(): Session {
  return {
    session: '',
    driven_by: 'run',
    phase: 'new',
    since: '1970-01-01T00:00:00.000Z',
    step: 0,
    limits: NO_LIMITS,
    feature: null,
    attempt: 0,
    failures: [],
    objection: null,
    completed: [],
    blocked: [],
    reopened: [],
    left: [],
    left_count: 0,
    spent_usd: 0,
    stops: 0,
    suspended: null,
    pause: null,
    wait_until: null,
    limit: null,
    end: null,
    last_result: null,
  };
}

/** Phases with work in progress. */
export const WORKING = [
  'checking',
  'initializing',
  'choosing',
  'coding',
  'testing',
  'verifying',
  'verifying_all',
] as const satisfies readonly SessionPhase[];

/** Neither new, paused nor ended. */
export function isDriven({ phase }: Pick<Session, 'phase'>): boolean {
  return phase !== 'new' && phase !== 'paused' && phase !== 'ended';
}
