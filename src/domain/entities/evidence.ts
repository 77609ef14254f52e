import * as z from 'zod';
import { defineEntity } from './entity-type.ts';
import { TEST_STATUSES } from './test-report.ts';
import { workIdSchema } from './work-id.ts';

/**
 * The tree of a run: the change, the base, the base with the change's tests, or the change with the base's tests, with a
 * test that must fail, or without the comments that exclude code from coverage.
 */
export const EVIDENCE_TREES = [
  'candidate',
  'base',
  'base_with_new_tests',
  'candidate_with_base_tests',
  'candidate_with_failing_test',
  'candidate_without_exclusions',
] as const;

/** Limit for the ledger entry; the file next to the ledger has all of them. */
export const MAX_NAMED_RESULTS = 2000;

const count = z.int().min(0);
const fraction = z.number().min(0).max(1);

export const testSummarySchema = z.strictObject({
  passed: count,
  failed: count,
  skipped: count,
  todo: count,
  runners: z.array(z.string()),
  /** Errors outside of any test. */
  faults: z.array(z.string()),
  /** The first results, by name. */
  named: z.array(
    z.strictObject({ name: z.string(), file: z.string().nullable(), status: z.enum(TEST_STATUSES) }),
  ),
  /** Test files of the tree that changed during the run, so other tests may have run than those of the tree. */
  rewritten: z.array(z.string()).optional(),
  /** Digest of the file with every named result. */
  results_digest: z.string(),
});

export type TestSummary = z.infer<typeof testSummarySchema>;

export const coverageSummarySchema = z.strictObject({
  format: z.string(),
  /** Coverage of all lines in the report. */
  project: fraction.nullable(),
  /** Coverage of the executable lines that the change touches. */
  changed: fraction.nullable(),
  changed_covered: count,
  changed_total: count,
  missing_files: z.array(z.string()),
  /** Changed files that are not product code, and why. */
  left_out: z.array(z.strictObject({ path: z.string(), why: z.string() })).optional(),
  report_digest: z.string(),
});

/** One run that GuardKit executed, or a person's manual confirmation instead of it. */
export const evidenceSchema = z.strictObject({
  id: z.string().min(1),
  feature_id: workIdSchema,
  task_id: workIdSchema.nullable(),
  /** `setup`, `health`, `tests`, `coverage`, or the name of a check; for manual evidence the gate it stands in for. */
  check: z.string().min(1),
  tree: z.string().min(1),
  tree_is: z.enum(EVIDENCE_TREES),
  base_commit: z.string().min(1),

  manual: z.boolean(),
  /** The person's reason, for manual evidence. */
  reason: z.string(),
  by: z.string(),

  command: z.string(),
  command_hash: z.string(),
  /** Hash of the other inputs: the toolchain, the build of GuardKit, and the test files that the run was limited to. */
  run_key: z.string().optional(),
  /** Null if a signal or GuardKit ended it. */
  exit: z.int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  tests: testSummarySchema.nullable(),
  coverage: coverageSummarySchema.nullable(),
  /** The check's finding, as text. */
  found: z.string(),
  output_digest: z.string(),
  output_bytes: count,
  output_tail: z.string(),
  /** The sandbox it ran in; null for none. */
  sandbox: z.string().nullable(),
  network: z.enum(['loopback', 'host']),
  duration_ms: z.number().min(0),
});

export type Evidence = z.infer<typeof evidenceSchema>;

export const evidence = defineEntity<Evidence>({
  type: 'evidence',
  groups: ['evidence'],
  schema: evidenceSchema,
  id: (body) => body.id,
  name: (body) => `${body.check} of ${body.task_id ?? body.feature_id}`,
  text: (body) =>
    [
      `evidence ${body.feature_id} ${body.task_id ?? ''} ${body.check}: ${describeEvidence(body)} tree=${body.tree.slice(0, 12)}`,
      body.manual ? `manual, by ${body.by}: ${body.reason}` : body.command,
      body.found,
      body.tests?.faults.join('\n') ?? '',
    ]
      .filter((line) => line !== '')
      .join('\n'),
  indexed: ['feature_id', 'task_id', 'check', 'tree', 'tree_is', 'manual'],
  freeText: ['reason', 'found', 'output_tail', 'tests', 'command'],
  relations: (body) => [
    { relation: 'evidence_for', to: body.feature_id },
    ...(body.task_id === null ? [] : [{ relation: 'evidence_for', to: body.task_id }]),
  ],
});

/** A short description of how a run ended. */
export function describeEvidence({ manual, exit, signal, timed_out, tests }: Evidence): string {
  if (manual) return 'manual';
  const end = timed_out ? 'timed out' : signal ? `ended by ${signal}` : `exit ${exit}`;
  if (!tests) return end;
  if (tests.runners.length === 0 && tests.passed + tests.failed === 0) return `${end}, no test names`;
  return `${end}, ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped + tests.todo} skipped`;
}
