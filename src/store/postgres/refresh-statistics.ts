import type { Session } from './postgres-database.ts';

/** Fewer than this change no plan. */
const MANY = 1000;

/**
 * Has the server look at what was written, if it was much. It would do so itself a minute later; until then it would
 * take every term for a rare one.
 */
export async function refreshStatistics(session: Session, written: number): Promise<void> {
  if (written < MANY) return;
  try {
    await session.query({
      text: 'ANALYZE guardkit.search_current, guardkit.episode, guardkit.episode_field, guardkit.declared_edge',
      values: [],
    });
  } catch {
    // Safe: what was written is written, and searches are right without it.
  }
}
