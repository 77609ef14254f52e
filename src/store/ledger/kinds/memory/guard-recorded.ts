import * as z from 'zod';
import { projectGroup } from '../../../../domain/entities/group.ts';
import { learnedGuard, learnedGuardSchema } from '../../../../domain/entities/learned-guard.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const GUARD_CHANGES = ['proposed', 'backtested', 'promoted', 'demoted', 'retired', 'shared'] as const;

export const guardRecordedSchema = z.strictObject({
  change: z.enum(GUARD_CHANGES),
  /** A person's name, an agent and its kind, or GuardKit. */
  by: z.string().min(1),
  why: z.string(),
  guard: learnedGuardSchema,
});

export type GuardRecorded = z.infer<typeof guardRecordedSchema>;

/** A learned guard was proposed or changed. */
export const guardRecorded = defineEntryKind<GuardRecorded>({
  kind: 'guard_recorded',
  schema: guardRecordedSchema,
  freeText: ['why'],
  episodes: ({ project, at, body }) =>
    [projectGroup(project, 'guards'), ...(body.change === 'shared' ? ['guards'] : [])].map((group) => ({
      group,
      entity_type: learnedGuard.type,
      body: body.guard,
      source: 'ledger',
      valid_at: at,
    })),
});
