import { join } from 'node:path';
import * as z from 'zod';
import { isProjectId } from '../../domain/entities/group.ts';
import { guardSettingsSchema } from '../guard-files/guard-file.ts';
import { readYamlFile } from '../yaml/yaml-file.ts';
import { learningSchema } from './learning-config.ts';
import { verifySchema } from './verify-config.ts';

const word = z
  .string()
  .max(60)
  .regex(
    /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/,
    'small letters and digits are expected, with single - or _ between',
  );

/** What a project's architecture graph may say beside what is built in. */
const architectureSchema = z.strictObject({
  types: z.array(word).optional(),
  relations: z.array(word).optional(),
  /** Named here, only these are legal. */
  tags: z.array(word).optional(),
});

export type ArchitectureConfig = z.infer<typeof architectureSchema>;

/** The coding agents that a build may be driven with. */
export const DRIVERS = ['claude', 'command', 'script'] as const;

/** `.guardkit/config.yaml`. Everything in it is optional. */
export const projectConfigSchema = z.strictObject({
  project: z
    .string()
    .refine(isProjectId, 'a project id is letters, digits, . and -, or single _ between them')
    .optional(),
  store: z
    .strictObject({ url: z.string().regex(/^postgres(?:ql)?:\/\//, 'a postgres:// address is expected') })
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
      /** Any agent that reads its prompt from standard input. */
      command: z
        .strictObject({
          run: z.string().min(1),
          /** Names of variables that it needs though commands do not get them: its keys. */
          env: z.array(z.string().min(1)).optional(),
          /** What it writes to beside its folder; `~/` is a person's home. */
          writable: z.array(z.string().min(1)).optional(),
          network: z.enum(['loopback', 'host']).optional(),
        })
        .optional(),
    })
    .optional(),
  worktrees: z.strictObject({ root: z.string().min(1) }).optional(),
  sandbox: z
    .strictObject({
      /** What commands may reach: only each other, or whatever this machine can. */
      network: z.enum(['loopback', 'host']).optional(),
      /** Run nothing of a candidate's where there is no sandbox. */
      required: z.boolean().optional(),
    })
    .optional(),
  /** The sandbox around the commands of an agent that a person starts. */
  shell: z
    .strictObject({
      /** Commands that begin with one of these words run outside the sandbox, such as `sudo`. */
      outside: z.array(z.string().regex(/^[A-Za-z0-9][\w.+-]*$/, 'one word is expected')).optional(),
      /** Servers of the person that commands may reach (default: none). */
      allow: z.array(z.enum(['tmux', 'screen', 'systemd'])).optional(),
    })
    .optional(),
  /** Branches of the remote whose definitions are in force (default: its default branch). */
  trust: z.strictObject({ branches: z.array(z.string().min(1).max(200)) }).optional(),
  /** Paths that agents may not change, beside those that are always protected. */
  protected: z.array(z.string().min(1)).optional(),
  /** What `.maestro/knowledge.dot` may say beside what is built in. */
  architecture: architectureSchema.optional(),
  guards: guardSettingsSchema.optional(),
  /** What is kept of what agents do, and what may come of it. */
  learning: learningSchema.optional(),
  verify: verifySchema.optional(),
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;

/** `.guardkit/config.yaml` of a checkout, as it lies there. */
export function readProjectConfig(root: string) {
  return readYamlFile(join(root, '.guardkit', 'config.yaml'), projectConfigSchema);
}
