import { type AtWork, type HookWorldFacts, openAtWork } from './at-work.ts';
import { actionBegins, actionEnded, batchEnded } from './follow-actions.ts';
import { sessionBegan, sessionEnded, stopping, subagentBegan } from './follow-sessions.ts';
import { GO, type HookAnswer, type HookEvent } from './hook-event.ts';
import { keepSaying } from './keep-saying.ts';
import { answerTo, lookNow } from './look-around.ts';
import { openAction, settle } from './windows/close-window.ts';

/** Answers one event of a coding agent. Whoever calls it refuses what it throws for. */
export async function handleEvent(event: HookEvent, world: HookWorldFacts): Promise<HookAnswer> {
  if (event.type === 'other') return GO;
  const work = await openAtWork(event.source, world, {
    ...(event.type === 'session-ended' ? { ended: true } : {}),
    during: event.type === 'acted',
  });
  try {
    const said = await answer(event, work);
    return world.join ? await world.join(event, said, work) : said;
  } finally {
    work.close();
  }
}

async function answer(event: Exclude<HookEvent, { type: 'other' }>, work: AtWork): Promise<HookAnswer> {
  switch (event.type) {
    case 'session-began':
      return sessionBegan(work);
    case 'session-ended':
      return sessionEnded(work);
    case 'subagent-began':
      return subagentBegan(work);
    case 'prompted':
      return prompted(work, event);
    case 'acting':
      return actionBegins(work, event);
    case 'acted':
      return actionEnded(work, event);
    case 'batch-ended':
      return batchEnded(work, event);
    case 'stopping':
      return stopping(work, event);
    case 'settings-changed':
      // While an agent acts they are put back, and the change that they were is kept from holding.
      return answerTo(lookNow(work));
    case 'file-changed':
      return { ...answerTo(lookNow(work)), decision: 'go' };
  }
}

/** Nothing that a person says is ever refused. */
function prompted(work: AtWork, { text, byPerson }: Extract<HookEvent, { type: 'prompted' }>): HookAnswer {
  if (byPerson) work.interrupted = openAction(work.place, work.source.session);
  const { restored, notices } = settle(work.place, { session: work.source.session });
  keepSaying(work, byPerson ? 'person' : 'program', text);
  if (restored.length === 0 && notices.length === 0) return GO;
  return { decision: 'go', notice: notices.join('\n') };
}
