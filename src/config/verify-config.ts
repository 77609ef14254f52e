import * as z from 'zod';

const command = z.string().min(1);
/** Seconds. */
const timeout = z
  .number()
  .positive()
  .max(24 * 60 * 60);

const expectSchema = z.strictObject({
  exit: z.int().min(0).max(255).optional(),
  status: z.int().min(100).max(599).optional(),
  min_tests: z.int().min(1).optional(),
  /** `stdout`, or a path into the JSON that was printed, such as `$.items`. */
  non_empty: z
    .union([z.literal('stdout'), z.string().regex(/^\$[.[]/, 'stdout, or a path such as $.items')])
    .optional(),
});

const checkSchema = z
  .strictObject({
    name: z.string().min(1),
    command: command.optional(),
    http: z.url({ protocol: /^https?$/ }).optional(),
    browser: z.string().min(1).optional(),
    timeout: timeout.optional(),
    expect: expectSchema.optional(),
  })
  .refine(
    (check) => [check.command, check.http, check.browser].filter((one) => one !== undefined).length === 1,
    'a check has exactly one of command, http and browser',
  );

/** What GuardKit runs to find out whether something works. */
export const verifySchema = z.strictObject({
  setup: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  health: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  tests: z.strictObject({ command, timeout: timeout.optional() }).optional(),
  coverage: z
    .strictObject({
      report: z.string().min(1).optional(),
      command: command.optional(),
      scope: z.enum(['changed', 'project']).optional(),
    })
    .optional(),
  checks: z.array(checkSchema).optional(),
});

export type VerifyConfig = z.infer<typeof verifySchema>;
