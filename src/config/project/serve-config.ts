import * as z from 'zod';

/** The next session starts a new process. */
export const DEFAULT_IDLE_MS = 30 * 60_000;
const MAX_IDLE_MINUTES = 7 * 24 * 60;

/** The resident process that answers hooks. */
export const serveSchema = z.union([
  z.enum(['on', 'off']),
  z.strictObject({
    /** The process ends after this long without work (default: 30). */
    idle_minutes: z.int().min(1).max(MAX_IDLE_MINUTES),
  }),
]);

export interface ServeSettings {
  /** The resident process answers this project's hooks. */
  on: boolean;
  /** The process ends after this long without work. */
  idleMs: number;
}

export function serveSettings(serve: z.infer<typeof serveSchema> | undefined): ServeSettings {
  if (typeof serve !== 'object') return { on: serve !== 'off', idleMs: DEFAULT_IDLE_MS };
  return { on: true, idleMs: serve.idle_minutes * 60_000 };
}
