import type { Ledger } from '../ledger.ts';

/** How much of what agents did is kept. */
export interface KeptLimits {
  days: number;
  megabytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** In one go, so that nobody else waits long; the rest goes the next time. */
const MOST = 5000;

/** Lets go of what is too old or too much, the oldest first; how many actions that were. */
export function pruneKept(
  { file }: Ledger,
  project: string,
  { days, megabytes }: KeptLimits,
  now: number,
): number {
  const { database, attempt } = file;
  const before = now - days * DAY_MS;
  return attempt(() => {
    database
      .prepare(
        `DELETE FROM sayings WHERE id IN (SELECT id FROM sayings WHERE project = ? AND at < ? ORDER BY at LIMIT ${MOST})`,
      )
      .run(project, before);
    // Ids rise with time, as far as the clock does: what follows a young one is young.
    const old = database
      .prepare(
        `DELETE FROM kept_actions WHERE id IN
           (SELECT id FROM kept_actions WHERE project = ? AND at < ? ORDER BY id LIMIT ${MOST})`,
      )
      .run(project, before).changes;
    const first: unknown = database
      .prepare(
        `SELECT max(id) FROM (SELECT id, sum(length(body) + 100) OVER (ORDER BY id DESC) AS bytes
           FROM kept_actions WHERE project = @project) WHERE bytes > @most`,
      )
      .pluck()
      .get({ project, most: megabytes * 1_000_000 });
    if (typeof first !== 'number') return old;
    const much = database
      .prepare(
        `DELETE FROM kept_actions WHERE id IN
           (SELECT id FROM kept_actions WHERE project = ? AND id <= ? ORDER BY id LIMIT ${MOST})`,
      )
      .run(project, first).changes;
    return old + much;
  });
}
