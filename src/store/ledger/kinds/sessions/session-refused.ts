import * as z from 'zod';
import { SESSION_PHASES } from '../../../../domain/entities/session-state.ts';
import { defineEntryKind } from '../../chain/entry-kind.ts';

const sessionRefusedSchema = z.strictObject({
  session_id: z.string().min(1),
  event: z.string().min(1),
  phase: z.enum(SESSION_PHASES),
  why: z.string(),
});

/** Something was told to a session that is not for it as it stands; nothing changed. */
export const sessionRefused = defineEntryKind({
  kind: 'session_refused',
  schema: sessionRefusedSchema,
  freeText: ['why'],
});
