import * as z from 'zod';
import { FEATURE_STATUSES } from '../../../domain/entities/feature.ts';
import { OUTCOMES } from '../../../domain/entities/verification.ts';
import { BUILD_OUTCOMES } from '../../../store/ledger/kinds/sessions/builds.ts';

const text = z.string();
const texts = z.array(text);
const outcome = z.enum(OUTCOMES);
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

export const projectsSchema = z.object({
  projects: z.array(
    z.object({
      id: text,
      checkouts: texts,
      entries: z.int(),
      last_at: maybe(text),
      features: z.record(text, z.int()),
    }),
  ),
});
export type ProjectsAnswer = z.infer<typeof projectsSchema>;

/** One line of `guardkit log --json`. */
const logEventSchema = z.object({
  number: z.int(),
  at: text,
  kind: text,
  word: text,
  text,
  who: texts,
});

export const logSchema = z.object({ events: z.array(logEventSchema) });

/** `guardkit status --json`. */
export const statusSchema = z.object({
  project: text,
  root: text,
  at: text,
  protection: z.object({
    tier: z.enum(['kernel', 'none', 'off']),
    why: maybe(text),
    improve: maybe(text),
    paused: maybe(z.object({ until: text, reason: text, by: text })),
  }),
  waivers: z.array(z.object({ id: text, guard: text, until: text, reason: text, by: text })),
  pending: z.array(
    z.object({
      path: text,
      change: z.enum(['added', 'changed', 'removed']),
      needs: z.enum(['acceptance', 'commit']),
    }),
  ),
  changes: z.array(z.object({ number: z.int(), at: text, path: text, what: text })),
  sessions: z.array(
    z.object({
      agent: text,
      session: text,
      checkout: text,
      since: text,
      driven: z.boolean(),
      feature: maybe(text),
    }),
  ),
  refusals: z.array(logEventSchema),
  restored: z.int(),
  next: texts,
});
export type StatusAnswer = z.infer<typeof statusSchema>;

const runningSchema = z.object({
  kind: z.enum(['build', 'run']),
  feature: maybe(text),
  pid: z.int(),
  since: text,
  /** Of a run. */
  phase: maybe(text),
  task: maybe(text),
  turn: maybe(z.int()),
  max_turns: maybe(z.int()),
  /** The last finished step. */
  step: maybe(text),
  step_at: maybe(text),
  checks: z.array(z.object({ check: text, ok: z.boolean(), found: text, at: text })),
  gates: z.record(text, outcome),
  cost_usd: maybe(z.number()),
  /** Of a run. */
  budget_usd: maybe(z.number()),
});
export type Running = z.infer<typeof runningSchema>;

const waitingSchema = z.object({
  kind: z.enum(['blocked', 'definition', 'stopped', 'review', 'attestation', 'guard', 'protection']),
  feature: maybe(text),
  title: text,
  text,
  at: maybe(text),
  /** For a person to run; the dashboard itself changes nothing. */
  command: text,
});
export type Waiting = z.infer<typeof waitingSchema>;

export const nowSchema = z.object({
  project: text,
  at: text,
  /** The last ledger entry. */
  head: z.int(),
  checkout: maybe(text),
  status: maybe(statusSchema),
  running: z.array(runningSchema),
  waiting: z.array(waitingSchema),
  features: z.int(),
});
export type NowAnswer = z.infer<typeof nowSchema>;

const lastOutcome = z.enum([...BUILD_OUTCOMES, 'interrupted']);

/** As in `guardkit feature list --json`. */
export const featureFields = {
  id: text,
  name: text,
  priority: z.int(),
  task_type: text,
  complexity: z.number(),
  ui: z.boolean(),
  dependencies: texts,
  path: maybe(text),
  status: z.enum(FEATURE_STATUSES),
  tested: z.boolean(),
  retries: z.int(),
  blocked_reason: maybe(text),
};

export const featuresSchema = z.object({
  features: z.array(
    z.object({
      ...featureFields,
      tasks: texts,
      running: z.boolean(),
      /** Dependencies that are not done. */
      waits_for: texts,
      why_waiting: maybe(text),
      last_build: maybe(
        z.object({ outcome: lastOutcome, why: text, cost_usd: z.number(), at: text, settled: z.boolean() }),
      ),
    }),
  ),
  faults: z.int(),
});
export type FeaturesAnswer = z.infer<typeof featuresSchema>;

export const diffSchema = z.object({
  from: text,
  to: text,
  files: z.array(
    z.object({
      path: text,
      added: maybe(z.int()),
      removed: maybe(z.int()),
      /** Lock and generated files. */
      folded: z.boolean(),
    }),
  ),
  /** Unified diff of the file that was asked for. */
  text: maybe(text),
  cut: z.boolean(),
});
export type DiffAnswer = z.infer<typeof diffSchema>;

export const checksSchema = z.object({
  checks: z.array(
    z.object({
      check: text,
      ok: z.boolean(),
      found: text,
      command: text,
      seconds: z.number(),
      /** The end of it. */
      output: text,
      output_bytes: z.int(),
      at: text,
    }),
  ),
});
export type ChecksAnswer = z.infer<typeof checksSchema>;

/** `guardkit doctor --json`. */
export const doctorSchema = z.object({
  version: text,
  ok: z.boolean(),
  tier: text,
  says: text,
  notProtected: texts,
  improve: texts,
  checks: z.array(
    z.object({ id: text, outcome, found: text, lines: texts.optional(), hint: text.optional() }),
  ),
});

export const healthSchema = z.object({
  project: text,
  checkout: maybe(text),
  at: text,
  seconds: z.number(),
  doctor: maybe(doctorSchema),
  ledger: z.object({ path: text, entries: z.int(), hash: text, undelivered: z.int() }),
  process: z.object({
    version: text,
    node: text,
    pid: z.int(),
    uptime_seconds: z.int(),
    memory_mb: z.int(),
  }),
});
export type HealthAnswer = z.infer<typeof healthSchema>;
