import { join } from 'node:path';
import * as z from 'zod';
import { isProjectId } from '../../domain/entities/group.ts';
import { guardSettingsSchema } from '../guard-files/guard-file.ts';
import { readYamlFile } from '../yaml/yaml-file.ts';
import { learningSchema } from './learning-config.ts';
import { serveSchema } from './serve-config.ts';
import { verifySchema } from './verify-config.ts';

const word = z
  .string()
  .max(60)
  .regex(
    /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/,
    'expected lower-case letters and digits, joined by single - or _',
  );

/** The project's additions to the vocabulary of the architecture graph. */
const architectureSchema = z.strictObject({
  types: z.array(word).optional(),
  relations: z.array(word).optional(),
  /** If set, only these tags are allowed. */
  tags: z.array(word).optional(),
});

export type ArchitectureConfig = z.infer<typeof architectureSchema>;

/** Drivers for coding agents. */
export const DRIVERS = [
  'acp',
  'claude',
  'codex',
  'command',
  'copilot',
  'gemini',
  'opencode',
  'qwen',
  'script',
] as const;

/** Settings of every agent that runs as a program. */
const programSettings = {
  model: z.string().min(1).optional(),
  /** Variables to pass to it that commands do not get, such as API keys. */
  env: z.array(z.string().min(1)).optional(),
  /** USD per million tokens, for an agent that does not report its cost. */
  price: z
    .strictObject({
      input: z.number().min(0),
      cached_input: z.number().min(0).optional(),
      output: z.number().min(0),
    })
    .optional(),
};

/** `.guardkit/config.yaml`. Everything in it is optional. */
export const projectConfigSchema = z.strictObject({
  project: z
    .string()
    .refine(isProjectId, 'a project id must be letters, digits, . and -, or single _ between them')
    .optional(),
  store: z
    .strictObject({ url: z.string().regex(/^postgres(?:ql)?:\/\//, 'expected a postgres:// URL') })
    .optional(),
  embeddings: z
    .strictObject({ baseUrl: z.url({ protocol: /^https?$/ }), model: z.string().min(1) })
    .optional(),
  retention: z
    .strictObject({
      turns_per_feature: z.int().min(1).optional(),
      turns_per_project: z.int().min(1).optional(),
    })
    .optional(),
  drivers: z
    .strictObject({
      player: z.enum(DRIVERS).optional(),
      coach: z.enum(DRIVERS).optional(),
      claude: z.strictObject({ model: z.string().min(1).optional() }).optional(),
      /** Any agent that speaks the Agent Client Protocol. */
      acp: z
        .strictObject({
          /** The program with its arguments. */
          command: z.array(z.string().min(1)).min(1),
          /** Variables to pass to it that commands do not get, such as API keys. */
          env: z.array(z.string().min(1)).optional(),
          /** Writable paths besides its folder; `~/` is the person's home. */
          writable: z.array(z.string().min(1)).optional(),
        })
        .optional(),
      codex: z
        .strictObject({
          ...programSettings,
          /** Settings as `codex -c` takes them; Codex's own config.toml is not read. */
          settings: z.array(z.string().regex(/^[\w."-]+=/, 'expected key=value')).optional(),
        })
        .optional(),
      copilot: z.strictObject(programSettings).optional(),
      gemini: z.strictObject(programSettings).optional(),
      qwen: z.strictObject(programSettings).optional(),
      opencode: z
        .strictObject({
          ...programSettings,
          /** Providers as in opencode.json; OpenCode's own settings are not read. */
          provider: z.record(z.string(), z.unknown()).optional(),
        })
        .optional(),
      /** Any agent that reads its prompt from standard input. */
      command: z
        .strictObject({
          run: z.string().min(1),
          /** Variables to pass to it that commands do not get, such as API keys. */
          env: z.array(z.string().min(1)).optional(),
          /** Writable paths besides its folder; `~/` is the person's home. */
          writable: z.array(z.string().min(1)).optional(),
          network: z.enum(['loopback', 'host']).optional(),
        })
        .optional(),
    })
    .optional(),
  worktrees: z.strictObject({ root: z.string().min(1) }).optional(),
  sandbox: z
    .strictObject({
      /** Network access of commands: only each other, or the same as this machine. */
      network: z.enum(['loopback', 'host']).optional(),
      /** Refuse to run a candidate's commands without a sandbox. */
      required: z.boolean().optional(),
    })
    .optional(),
  /** The sandbox around the commands of an agent that a person starts. */
  shell: z
    .strictObject({
      /** Commands that start with one of these words run outside the sandbox, such as `sudo`. */
      outside: z.array(z.string().regex(/^[A-Za-z0-9][\w.+-]*$/, 'expected one word')).optional(),
      /** Servers of the person that commands may reach (default: none). */
      allow: z.array(z.enum(['tmux', 'screen', 'systemd'])).optional(),
    })
    .optional(),
  /** The resident process that answers this project's hooks (default: on). */
  serve: serveSchema.optional(),
  /** Workers that build features on several machines. */
  queue: z
    .strictObject({
      /** The git remote through which they exchange commits (default: origin). */
      remote: z
        .string()
        .regex(/^[A-Za-z0-9][\w.-]*$/, 'expected the name of a git remote')
        .optional(),
      /** Features of this project built at the same time, on all machines (default: no limit). */
      limit: z.int().min(1).max(1000).optional(),
      /** USD reserved before an agent starts, where a budget is set (default: 1). */
      reserve_usd: z.number().positive().optional(),
    })
    .optional(),
  /** Branches of the remote whose definitions are in force (default: its default branch). */
  trust: z.strictObject({ branches: z.array(z.string().min(1).max(200)) }).optional(),
  /** More paths that agents may not change. */
  protected: z.array(z.string().min(1)).optional(),
  architecture: architectureSchema.optional(),
  guards: guardSettingsSchema.optional(),
  /** Recording of agents' actions, and learning from them. */
  learning: learningSchema.optional(),
  verify: verifySchema.optional(),
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;

/** Reads `.guardkit/config.yaml` of a checkout. */
export function readProjectConfig(root: string) {
  return readYamlFile(join(root, '.guardkit', 'config.yaml'), projectConfigSchema);
}
