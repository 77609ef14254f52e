import * as z from 'zod';
import { SESSION_PHASES } from '../../../../domain/entities/session-state.ts';
import { workIdSchema } from '../../../../domain/entities/work-id.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

export const sessionMovedSchema = z.strictObject({
  session_id: z.string().min(1),
  event: z.string().min(1),
  from: z.enum(SESSION_PHASES),
  to: z.enum(SESSION_PHASES),
  feature_id: workIdSchema.nullable(),
  attempt: z.int().min(0),
  result: z.string().nullable(),
});

/** A session changed its phase. */
export const sessionMoved = defineEntryKind({
  kind: 'session_moved',
  schema: sessionMovedSchema,
  freeText: ['result'],
});

const sessionRefusedSchema = z.strictObject({
  session_id: z.string().min(1),
  event: z.string().min(1),
  phase: z.enum(SESSION_PHASES),
  why: z.string(),
});

/** A session refused an event that does not fit its phase; nothing changed. */
export const sessionRefused = defineEntryKind({
  kind: 'session_refused',
  schema: sessionRefusedSchema,
  freeText: ['why'],
});
