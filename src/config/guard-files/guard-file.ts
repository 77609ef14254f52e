import * as z from 'zod';
import { GUARD_MODES, GUARD_SESSIONS, REQUIRED_EVIDENCE } from '../../domain/protection/guard-mode.ts';

const setting = z.strictObject({
  mode: z.enum(GUARD_MODES).optional(),
  sessions: z.enum(GUARD_SESSIONS).optional(),
});

/** `guards:` of the configuration: the mode by guard id, or the mode and the sessions. */
export const guardSettingsSchema = z.record(
  z.string().min(1).max(100),
  z.union([z.enum(GUARD_MODES), setting], {
    error: `expected ${GUARD_MODES.join(', ')} or {mode, sessions: ${GUARD_SESSIONS.join(' | ')}}`,
  }),
);

export type GuardSettings = z.infer<typeof guardSettingsSchema>;

/** Kinds of actions for a project's guard. An edit may come from a tool or a command. */
export const GUARDED_KINDS = ['read', 'edit', 'command', 'spawn', 'tool', 'stop'] as const;

export type GuardedKind = (typeof GUARDED_KINDS)[number];

const MAX_ITEMS = 50;

const glob = z.string().min(1).max(200);
const globs = z.array(glob).min(1).max(MAX_ITEMS).optional();
const sentence = z.string().trim().min(1).max(500);

const commandSchema = z.strictObject({
  /** Base name of the program, without wrappers such as sudo or env. */
  program: glob,
  /** The first argument that is not an option. */
  subcommand: glob.optional(),
  /** At least one is given, alone or as `--option=value`. */
  options: globs,
  /** Each must match one of the other arguments. */
  args: globs,
});

const fieldSchema = z.strictObject({
  field: z.string().min(1).max(100),
  /** Only changes to this value (default: any change). */
  to: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
});

/** `.guardkit/guards/*.yaml`: one guard per file, as data, not code. */
export const guardFileSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'expected lower-case words joined by -, such as no-raw-sql')
      .max(60),
    summary: sentence,
    mode: z.enum(GUARD_MODES).default('enforce'),
    sessions: z.enum(GUARD_SESSIONS).default('all'),
    kinds: z.array(z.enum(GUARDED_KINDS)).min(1).optional(),
    /** Agent types it judges; `main` is the one that talks to a person. */
    agents: z.array(z.string().min(1).max(100)).min(1).max(MAX_ITEMS).optional(),
    /** Files read or edited, relative to the project. */
    paths: globs,
    except: globs,
    commands: z.array(commandSchema).min(1).max(MAX_ITEMS).optional(),
    /** Tool names, such as those of an MCP server. */
    tools: globs,
    /** Changes of fields in the feature list. */
    fields: z.array(fieldSchema).min(1).max(MAX_ITEMS).optional(),
    /** Objects only while this evidence is missing for the current files. */
    requires: z.enum(REQUIRED_EVIDENCE).optional(),
    decision: z.enum(['deny', 'ask', 'warn']).default('deny'),
    reason: sentence,
    guidance: sentence,
    expires: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], {
        error: 'expected a date such as 2026-12-31 or an ISO time',
      })
      .optional(),
  })
  .refine(({ kinds, paths, commands, tools, fields }) => kinds ?? paths ?? commands ?? tools ?? fields, {
    path: ['kinds'],
    message: 'set at least one of kinds, paths, commands, tools or fields',
  });

export type GuardDefinition = z.output<typeof guardFileSchema>;
