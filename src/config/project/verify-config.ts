import * as z from 'zod';

const command = z.string().min(1);
/** Seconds. */
const timeout = z
  .number()
  .positive()
  .max(24 * 60 * 60);

/** Relative to the project's root. */
const insideTree = z
  .string()
  .min(1)
  .refine(
    (path) => !path.startsWith('/') && !path.split('/').includes('..'),
    'expected a path below the project’s root',
  );

const coverageReport = insideTree.refine(
  (path) => !/\*[^/]*$/.test(path),
  'expected a glob that ends with the name of a file',
);

const expectSchema = z.strictObject({
  exit: z.int().min(0).max(255).optional(),
  status: z.int().min(100).max(599).optional(),
  min_tests: z.int().min(1).optional(),
  /** Text that the page or response must contain. */
  text: z.string().min(1).optional(),
  /** `stdout` (also the text of the response or page), or a path into its JSON, such as `$.items`. */
  non_empty: z
    .union([z.literal('stdout'), z.string().regex(/^\$[.[]/, 'expected stdout, or a path such as $.items')])
    .optional(),
});

const checkSchema = z
  .strictObject({
    name: z.string().min(1),
    command: command.optional(),
    http: z.url({ protocol: /^https?$/ }).optional(),
    /** The address of a page, or a command that drives a browser itself. */
    browser: z.string().min(1).optional(),
    /** The server for an http or browser check; runs during the check and is stopped after it. */
    start: command.optional(),
    timeout: timeout.optional(),
    expect: expectSchema.optional(),
  })
  .refine(
    (check) => [check.command, check.http, check.browser].filter((one) => one !== undefined).length === 1,
    'a check needs exactly one of command, http and browser',
  )
  .refine(
    (check) => check.start === undefined || check.command === undefined,
    'start is only for http and browser checks; a command can start its own server',
  );

/** GuardKit sets PATH and HOME for every command: other values would bring in other programs. */
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
  .refine(
    (name) => !/^(?:PATH|HOME|GUARDKIT_.*)$/.test(name),
    'GuardKit sets PATH, HOME and GUARDKIT_* itself',
  );

/** The commands that GuardKit runs to verify changes. */
export const verifySchema = z.strictObject({
  /** Variables for set-up, tests and checks; they do not inherit the person's environment. */
  env: z.record(variableName, z.string()).optional(),
  /** Variables to pass from GuardKit's own environment. */
  pass_env: z.array(variableName).optional(),
  setup: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  health: z.union([command, z.strictObject({ command, timeout: timeout.optional() })]).optional(),
  tests: z
    .strictObject({
      command,
      timeout: timeout.optional(),
      /** The report that the command writes (JUnit XML, TAP, …), for runners without a tap; a file, a folder, or a glob of them. */
      report: insideTree.optional(),
      /**
       * `affected`: in a workspace, run only the packages that the change touches and their dependents (default: all).
       */
      packages: z.enum(['all', 'affected']).optional(),
    })
    .optional(),
  coverage: z
    .strictObject({
      /**
       * A file, a glob of files if each package of a workspace writes one, or a list if the command measures with several
       * tools. A change must not name the file, so its name has to be known.
       */
      report: z.union([coverageReport, z.array(coverageReport).min(1).max(20)]).optional(),
      command: command.optional(),
      scope: z.enum(['changed', 'project']).optional(),
      /** Globs of files that count as product code against the conventions; `exclude`: globs of files that do not count. */
      include: z.array(z.string().min(1)).optional(),
      exclude: z.array(z.string().min(1)).optional(),
      timeout: timeout.optional(),
    })
    .optional(),
  checks: z.array(checkSchema).optional(),
});

export type VerifyConfig = z.infer<typeof verifySchema>;
export type CheckConfig = z.infer<typeof checkSchema>;

/** The same configuration with other commands for tests and coverage. */
export function withCommands(verify: VerifyConfig, change: (command: string) => string): VerifyConfig {
  const { tests, coverage } = verify;
  return {
    ...verify,
    ...(tests ? { tests: { ...tests, command: change(tests.command) } } : {}),
    ...(coverage?.command === undefined
      ? {}
      : { coverage: { ...coverage, command: change(coverage.command) } }),
  };
}
