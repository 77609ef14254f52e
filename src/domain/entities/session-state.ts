import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { workIdSchema } from './work-id.ts';

export const SESSION_STATE_VERSION = 1;

export const SESSION_PHASES = [
  'new',
  'checking',
  'initializing',
  'choosing',
  'coding',
  'testing',
  'verifying',
  'verifying_all',
  'waiting',
  'paused',
  'ended',
] as const;

export type SessionPhase = (typeof SESSION_PHASES)[number];

export const SESSION_AGENTS = ['initializer', 'coding', 'tester'] as const;

export type SessionAgent = (typeof SESSION_AGENTS)[number];

/** `.claude/progress/session-state.json`: the state of a session, for agents and people. Only GuardKit writes it. */
export const sessionStateSchema = z.strictObject({
  version: z.literal(SESSION_STATE_VERSION),
  session_id: z.string().min(1),
  state: z.enum(SESSION_PHASES),
  feature: workIdSchema.nullable().describe('The current feature'),
  agent: z.enum(SESSION_AGENTS).nullable().describe('The current agent'),
  attempt: z.int().min(0).describe('Attempt number of the feature or the initializer; 0 if none'),
  since: timestampSchema.describe('When this state began'),
  next_action: z.string(),
  last_result: z.string().nullable(),
});

export type SessionStateFile = z.infer<typeof sessionStateSchema>;
