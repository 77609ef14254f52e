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
  budget_usd: z.number().nullable(),
  /** Spent or reserved, where there is a budget. */
  spent_usd: z.number(),
  items: z.array(itemSchema),
  workers: z.array(workerSchema),
});

export type QueueAnswer = z.infer<typeof queueAnswerSchema>;

const listSchema = queueAnswerSchema.pick({
  branch: true,
  tip: true,
  budget_usd: true,
  spent_usd: true,
  items: true,
});

const NO_CHECKOUT = {
  code: 'queue.no-checkout',
  message: 'No checkout of this project was found on this machine.',
  hint: 'Run `guardkit queue list` in a clone of it.',
};

/** The queue of a project and the workers of its server. A project without one is not a failure. */
export async function readQueue(context: ReadContext, { checkout }: OpenedProject): Promise<QueueAnswer> {
  const none = { branch: null, tip: null, budget_usd: null, spent_usd: 0, items: [], workers: [] };
  if (checkout === undefined) return { ...none, missing: NO_CHECKOUT };
  const listed = await runJson(context, ['queue', 'list'], checkout).catch((error: unknown) => {
    if (error instanceof GuardKitError) return error;
    throw error;
  });
  if (listed instanceof GuardKitError) {
    const { code, message, hint } = listed;
    return { ...none, missing: { code, message, hint } };
  }
  const list = listSchema.parse(listed);
  const { workers } = z
    .object({ workers: z.array(workerSchema) })
    .parse(await runJson(context, ['queue', 'workers'], checkout));
  return { missing: null, ...list, workers };
}
