import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import type { HookContext } from './hook-context.ts';
import type { HookAnswer, HookEvent } from './hook-event.ts';
import { pauseNotice } from './pause-notice.ts';

/** While a person has paused GuardKit, nothing is judged or restored. The agent and the person are told, once a session. */
export function pausedAnswer(event: HookEvent, { place, source }: HookContext, until: string): HookAnswer {
  const key = `paused in ${source.session}`;
  const told = findLastCached(place.ledger, key)?.stamp === until;
  if (told || event.type === 'stopping' || event.type === 'session-ended') return { decision: 'go' };
  cacheRead(place.ledger, key, until, {});
  const line = pauseNotice(until, Date.now());
  return { decision: 'go', context: line, notice: `${line} \`guardkit resume\` ends the pause.` };
}
