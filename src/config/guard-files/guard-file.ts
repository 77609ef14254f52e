import * as z from 'zod';
import { GUARD_MODES, GUARD_SESSIONS, REQUIRED_EVIDENCE } from '../../domain/protection/guard-mode.ts';

const setting = z.strictObject({
  mode: z.enum(GUARD_MODES).optional(),
  sessions: z.enum(GUARD_SESSIONS).optional(),
});

/** `guards:` of the configuration: by a guard's id its mode, or its mode and the sessions it acts in. */
export const guardSettingsSchema = z.record(
  z.string().min(1).max(100),
  z.union([z.enum(GUARD_MODES), setting], {
    error: `${GUARD_MODES.join(', ')} or {mode, sessions: ${GUARD_SESSIONS.join(' | ')}} is expected`,
  }),
);

export type GuardSettings = z.infer<typeof guardSettingsSchema>;

/** What a project's guard may judge. An edit is one whether a tool makes it or a command. */
export const GUARDED_KINDS = ['read', 'edit', 'command', 'spawn', 'tool', 'stop'] as const;

export type GuardedKind = (typeof GUARDED_KINDS)[number];

const MAX_ITEMS = 50;

const glob = z.string().min(1).max(200);
const globs = z.array(glob).min(1).max(MAX_ITEMS).optional();
const sentence = z.string().trim().min(1).max(500);

const commandSchema = z.strictObject({
  /** Base name of the program, wrappers such as sudo or env taken off. */
  program: glob,
  /** Its first argument that is no option. */
  subcommand: glob.optional(),
  /** One of these is given, alone or as `--option=value`. */
  options: globs,
  /** Each of these fits one of the other arguments. */
  args: globs,
});

const fieldSchema = z.strictObject({
  field: z.string().min(1).max(100),
  /** Only a change to this value; without it, any change. */
  to: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
});

/** `.guardkit/guards/*.yaml`: one guard a file, as data and never as code. */
export const guardFileSchema = z
  .strictObject({
    id: z
      .string()
      .regex(
        /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
        'lower-case words joined by - are expected, such as no-raw-sql',
      )
      .max(60),
    summary: sentence,
    mode: z.enum(GUARD_MODES).default('enforce'),
    sessions: z.enum(GUARD_SESSIONS).default('all'),
    kinds: z.array(z.enum(GUARDED_KINDS)).min(1).optional(),
    /** Types of agents that it judges; `main` is the one that talks to a person. */
    agents: z.array(z.string().min(1).max(100)).min(1).max(MAX_ITEMS).optional(),
    /** Files that are read or edited, relative to the project. */
    paths: globs,
    except: globs,
    commands: z.array(commandSchema).min(1).max(MAX_ITEMS).optional(),
    /** Names of tools, such as those of an MCP server. */
    tools: globs,
    /** Changes of fields in the list of features. */
    fields: z.array(fieldSchema).min(1).max(MAX_ITEMS).optional(),
    /** Objects only while this has not been seen on the files as they are. */
    requires: z.enum(REQUIRED_EVIDENCE).optional(),
    decision: z.enum(['deny', 'ask', 'warn']).default('deny'),
    reason: sentence,
    guidance: sentence,
    expires: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], {
        error: 'a date such as 2026-12-31 or an ISO time is expected',
      })
      .optional(),
  })
  .refine(({ kinds, paths, commands, tools, fields }) => kinds ?? paths ?? commands ?? tools ?? fields, {
    path: ['kinds'],
    message: 'say what it judges: kinds, paths, commands, tools or fields',
  });

export type GuardDefinition = z.output<typeof guardFileSchema>;
