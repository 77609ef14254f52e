import * as z from 'zod';
import { GuardKitError } from '../../../guardkit-error.ts';
import { type OpenedProject, type ReadContext, runJson } from './read-context.ts';

const time = z.string().nullable();

const itemSchema = z.object({
  feature: z.string(),
  state: z.string(),
  priority: z.number(),
  budget_usd: z.number().nullable(),
  needs: z.array(z.string()),
  why: z.string(),
  added_at: time,
  began_at: time,
  ended_at: time,
});

const workerSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  projects: z.array(z.string()),
  building: z.array(z.string()),
  alive: z.boolean(),
  started_at: time,
  beat_at: time,
  ended_at: time,
  why: z.string().nullable(),
});

export const queueAnswerSchema = z.object({
  /** Why there is no queue; null if there is one. */
  missing: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
  branch: z.string().nullable(),
  tip: z.string().nullable(),
  items: z.array(itemSchema),
  workers: z.array(workerSchema),
});

const listSchema = z.object({ branch: z.string(), tip: z.string(), items: z.array(itemSchema) });

/** The queue of a project and the workers of its server. A project without one is not a failure. */
export async function readQueue(
  context: ReadContext,
  { checkout }: OpenedProject,
): Promise<z.infer<typeof queueAnswerSchema>> {
  const none = { branch: null, tip: null, items: [], workers: [] };
  if (checkout === undefined) return { ...none, missing: null };
  const listed = await runJson(context, ['queue', 'list'], checkout).catch((error: unknown) => {
    if (error instanceof GuardKitError) return error;
    throw error;
  });
  if (listed instanceof GuardKitError) {
    const { code, message, hint } = listed;
    return { ...none, missing: { code, message, hint } };
  }
  const { branch, tip, items } = listSchema.parse(listed);
  const { workers } = z
    .object({ workers: z.array(workerSchema) })
    .parse(await runJson(context, ['queue', 'workers'], checkout));
  return { missing: null, branch, tip, items, workers };
}
