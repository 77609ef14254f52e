import * as z from 'zod';
import { OUTCOMES } from './entities/verification.ts';
import { workIdSchema } from './entities/work-id.ts';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:guardkit:verification:v1';
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

const hash = z.string().regex(/^[0-9a-f]{40,64}$/);
const time = z.iso.datetime();

/** The result of a verification as an in-toto statement about a git commit. */
export const statementSchema = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([
    z.object({ name: z.literal('git commit'), digest: z.object({ gitCommit: hash }) }),
    z.object({ name: z.literal('git tree'), digest: z.object({ gitTree: hash }) }),
  ]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.object({
    project: z.string().min(1),
    feature: workIdSchema,
    /** Null for the whole feature. */
    task: workIdSchema.nullable(),
    verification: z.string().min(1),
    /** The verified tree: the commit's without definitions and projections. */
    tree: hash,
    base: hash,
    definition: z.string(),
    outcome: z.literal('pass'),
    /** A Coach approved this tree. */
    approved: z.boolean(),
    gates: z.array(
      z.object({
        gate: z.string(),
        result: z.enum(OUTCOMES),
        required: z.boolean(),
        manual: z.boolean(),
      }),
    ),
    evidence: z.array(z.object({ id: z.string(), check: z.string(), output: z.string() })),
    /** The sandbox of the runs; null if there was none. */
    sandbox: z.string().nullable(),
    guardkit: z.string(),
    by: z.string(),
    at: time,
    expires: time,
    /** The newest entry of the ledger, so that nobody can rewrite what was before it. */
    ledger: z.object({ id: z.string(), number: z.int().min(1), hash }),
  }),
});

export type Statement = z.infer<typeof statementSchema>;
