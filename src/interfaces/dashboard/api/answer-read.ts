import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { architectureSchema } from './architecture-schema.ts';
import { featureAnswerSchema } from './feature-schema.ts';
import { guardSchema, guardsSchema } from './guards-schema.ts';
import { learningSchema } from './learning-schema.ts';
import { episodeSchema, episodesSchema, memorySchema } from './memory-schema.ts';
import { readArchitecture } from './read-architecture.ts';
import { readChecks } from './read-checks.ts';
import { openProject, type ReadContext, runJson, unknown } from './read-context.ts';
import { readDiff } from './read-diff.ts';
import { readFeature } from './read-feature.ts';
import { readFeatures } from './read-features.ts';
import { readGuard, readGuards } from './read-guards.ts';
import { readHealth } from './read-health.ts';
import { readLearning } from './read-learning.ts';
import { readEpisode, readEpisodes, readMemory } from './read-memory.ts';
import { readNow } from './read-now.ts';
import { readProjects } from './read-projects.ts';
import { queueAnswerSchema, readQueue } from './read-queue.ts';
import type { ReadAnswer, ReadRequest } from './read-request.ts';
import {
  checksSchema,
  diffSchema,
  featuresSchema,
  healthSchema,
  logSchema,
  nowSchema,
  projectsSchema,
} from './schemas.ts';

/** One read of the API. */
export interface ApiRoute<Parameters = unknown, Answer = unknown> {
  summary: string;
  parameters: z.ZodType<Parameters>;
  answer: z.ZodType<Answer>;
  read(context: ReadContext, parameters: Parameters): Promise<Answer>;
}

const project = z.string().min(1).max(200);
const ofProject = z.strictObject({ project });
const ofTurn = z.strictObject({
  project,
  feature: workIdSchema,
  task: workIdSchema,
  turn: z.coerce.number().int().min(1).max(1e9),
});
const days = z.coerce.number().int().min(1).max(365).default(30);
const line = z.string().min(1).max(300);

function route<Parameters, Answer>(declared: ApiRoute<Parameters, Answer>): ApiRoute {
  return declared as unknown as ApiRoute;
}

/** Every read, by name: `/api/NAME`. */
export const API_ROUTES: Readonly<Record<string, ApiRoute>> = {
  projects: route({
    summary: 'Projects of the data folder',
    parameters: z.strictObject({}),
    answer: projectsSchema,
    read: (context) => readProjects(context),
  }),
  now: route({
    summary: 'Running work, and what waits for a person',
    parameters: ofProject,
    answer: nowSchema,
    read: async (context, asked) => readNow(context, await openProject(context, asked.project)),
  }),
  features: route({
    summary: 'Features with their state',
    parameters: ofProject,
    answer: featuresSchema,
    read: async (context, asked) => readFeatures(await openProject(context, asked.project)),
  }),
  feature: route({
    summary: 'A feature with its turns',
    parameters: z.strictObject({ project, id: workIdSchema }),
    answer: featureAnswerSchema,
    read: async (context, asked) => readFeature(await openProject(context, asked.project), asked.id),
  }),
  diff: route({
    summary: 'Files that a turn changed, or the diff of one file',
    parameters: ofTurn.extend({ file: z.string().min(1).max(4096).optional() }),
    answer: diffSchema,
    read: async (context, asked) => readDiff(await openProject(context, asked.project), asked),
  }),
  checks: route({
    summary: 'Commands that GuardKit ran in a turn, with their output',
    parameters: ofTurn,
    answer: checksSchema,
    read: async (context, asked) => readChecks(await openProject(context, asked.project), asked),
  }),
  guards: route({
    summary: 'What guards objected to',
    parameters: z.strictObject({ project, days }),
    answer: guardsSchema,
    read: async (context, asked) =>
      readGuards(context, await openProject(context, asked.project), asked.days),
  }),
  guard: route({
    summary: 'A guard with its source and backtest',
    parameters: z.strictObject({ project, id: line }),
    answer: guardSchema,
    read: async (context, asked) => readGuard(context, await openProject(context, asked.project), asked.id),
  }),
  memory: route({
    summary: 'The groups of memory',
    parameters: ofProject,
    answer: memorySchema,
    read: async (context, asked) => readMemory(context, await openProject(context, asked.project)),
  }),
  episodes: route({
    summary: 'Episodes found by words, or the newest',
    parameters: z.strictObject({
      project,
      query: z.string().max(500).default(''),
      group: line.optional(),
      field: line.optional(),
      value: z.string().max(300).optional(),
    }),
    answer: episodesSchema,
    read: async (context, asked) => readEpisodes(context, await openProject(context, asked.project), asked),
  }),
  episode: route({
    summary: 'An entity with its versions and relations',
    parameters: z.strictObject({ project, id: line, group: line.optional() }),
    answer: episodeSchema,
    read: async (context, asked) => readEpisode(context, await openProject(context, asked.project), asked),
  }),
  learning: route({
    summary: 'Patterns, proposed guards and metrics',
    parameters: z.strictObject({ project, days }),
    answer: learningSchema,
    read: async (context, asked) =>
      readLearning(context, await openProject(context, asked.project), asked.days),
  }),
  architecture: route({
    summary: 'The architecture graph, drawn and validated',
    parameters: z.strictObject({
      project,
      from: z
        .string()
        .regex(/^[0-9a-f]{40,64}$/)
        .optional(),
      around: line.optional(),
      depth: z.coerce.number().int().min(1).max(10).default(1),
    }),
    answer: architectureSchema,
    read: async (context, asked) => readArchitecture(await openProject(context, asked.project), asked),
  }),
  health: route({
    summary: 'The result of `guardkit doctor`, ledger and process',
    parameters: ofProject,
    answer: healthSchema,
    read: async (context, asked) => readHealth(context, await openProject(context, asked.project)),
  }),
  queue: route({
    summary: 'The queue of a project, and the workers of its server',
    parameters: ofProject,
    answer: queueAnswerSchema,
    read: async (context, asked) => readQueue(context, await openProject(context, asked.project)),
  }),
  log: route({
    summary: 'The last refusals, restores, changes and waivers',
    parameters: ofProject,
    answer: logSchema,
    read: async (context, asked) => {
      const { checkout } = await openProject(context, asked.project);
      if (checkout === undefined) return { events: [] };
      return logSchema.parse(await runJson(context, ['log', '--limit', '200'], checkout));
    },
  }),
};

const STATUS: Readonly<Record<GuardKitError['kind'], number>> = { input: 400, refused: 404, outside: 503 };

/** Answers one read; a failure is an answer too. */
export async function answerRead(
  { name, parameters }: ReadRequest,
  context: ReadContext,
): Promise<ReadAnswer> {
  try {
    const found = Object.hasOwn(API_ROUTES, name) ? API_ROUTES[name] : undefined;
    if (!found) throw unknown('path', `/api/${name}`);
    const asked = found.parameters.safeParse(parameters);
    if (!asked.success) throw badParameters(asked.error);
    const answer = found.answer.parse(await found.read(context, asked.data));
    return { status: 200, body: JSON.stringify(answer) };
  } catch (error) {
    const known = error instanceof GuardKitError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return {
      status: known ? STATUS[known.kind] : 500,
      body: JSON.stringify({
        error: { code: known?.code ?? 'dashboard.failed', message, hint: known?.hint ?? '' },
      }),
    };
  }
}

function badParameters({ issues }: z.ZodError): GuardKitError {
  return new GuardKitError({
    code: 'dashboard.parameters',
    kind: 'input',
    message: issues
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('\n')
      .slice(0, 2000),
    hint: 'docs/reference/dashboard-api.md lists the parameters.',
  });
}
