import * as z from 'zod';

const command = z.string().min(1);
/** Seconds. */
const timeout = z
  .number()
  .positive()
  .max(24 * 60 * 60);

/** Below the project's root, wherever that is checked out. */
const insideTree = z
  .string()
  .min(1)
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'a path below the project’s root is expected',
  );

const expectSchema = z.strictObject({
  exit: z.int().min(0).max(255).optional(),
  status: z.int().min(100).max(599).optional(),
  min_tests: z.int().min(1).optional(),
  /** Words that the page or the answer must hold. */
  text: z.string().min(1).optional(),
  /** `stdout`, which is also the answer's or the page's text, or a path into the JSON of it, such as `$.items`. */
  non_empty: z
    .union([z.literal('stdout'), z.string().regex(/^\$[.[]/, 'stdout, or a path such as $.items')])
    .optional(),
});

const checkSchema = z
  .strictObject({
    name: z.string().min(1),
    command: command.optional(),
    http: z.url({ protocol: /^https?$/ }).optional(),
    /** The address of a page, or a command that drives a browser itself. */
    browser: z.string().min(1).optional(),
    /** Runs beside an http or browser check, and is ended with it: the server that answers. */
    start: command.optional(),
    timeout: timeout.optional(),
    expect: expectSchema.optional(),
  })
  .refine(
    (check) => [check.command, check.http, check.browser].filter((one) => one !== undefined).length === 1,
    'a check has exactly one of command, http and browser',
  )
  .refine(
    (check) => check.start === undefined || check.command === undefined,
    'start belongs to an http or browser check; a command can start what it needs',
  );

/** Set by GuardKit for every command: a home folder and a PATH from elsewhere would bring other programs with them. */
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable is expected')
  .refine(
    (name) => !/^(?:PATH|HOME|GUARDKIT_.*)$/.test(name),
    'GuardKit sets PATH, HOME and GUARDKIT_* itself',
  );

/** What GuardKit runs to find out whether something works. */
export const verifySchema = z.strictObject({
  /** Variables for set-up, tests and checks, which get no others of a person's environment. */
  env: z.record(variableName, z.string()).optional(),
  /** Names of variables that are handed on from the environment that GuardKit runs in. */
  pass_env: z.array(variableName).optional(),
  setup: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  health: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  tests: z
    .strictObject({
      command,
      timeout: timeout.optional(),
      /** Where the command itself leaves a report (JUnit XML, TAP, …), for runners that GuardKit cannot listen to. */
      report: insideTree.optional(),
      /**
       * `affected`: a command for every package of a workspace runs those that the change touches, and those that use them
       * (default: all).
       */
      packages: z.enum(['all', 'affected']).optional(),
    })
    .optional(),
  coverage: z
    .strictObject({
      report: insideTree.optional(),
      command: command.optional(),
      scope: z.enum(['changed', 'project']).optional(),
      /** Globs of files that count as product code, though by their place or name they would not; and of files that do not. */
      include: z.array(z.string().min(1)).optional(),
      exclude: z.array(z.string().min(1)).optional(),
      timeout: timeout.optional(),
    })
    .optional(),
  checks: z.array(checkSchema).optional(),
});

export type VerifyConfig = z.infer<typeof verifySchema>;
export type CheckConfig = z.infer<typeof checkSchema>;
