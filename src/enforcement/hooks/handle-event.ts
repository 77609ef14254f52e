import { clockTime } from '../../platform/clock.ts';
import { cacheRead, findLastCached } from '../../store/ledger/tables/read-cache.ts';
import { answerWithReport, observeEvent } from '../actions/observe-event.ts';
import { unendedActions } from '../actions/open-actions.ts';
import { actionBegins, actionEnded, batchEnded } from './answer-actions.ts';
import { sessionBegan, sessionEnded, stopping, subagentBegan } from './answer-sessions.ts';
import { type HookContext, type HookFacts, openHookContext } from './hook-context.ts';
import { GO, type HookAnswer, type HookEvent } from './hook-event.ts';
import { recordTranscript } from './record-for-learning.ts';

type Answered = Exclude<HookEvent, { type: 'other' }>;

/** Answers one event of a coding agent. The caller refuses the action if this throws. */
export async function handleEvent(event: HookEvent, facts: HookFacts): Promise<HookAnswer> {
  if (event.type === 'other') return GO;
  const context = await openHookContext(event.source, facts, {
    session: {
      ...(event.type === 'session-ended' ? { ended: true } : {}),
      ...(event.type === 'acted' ? { acted: true } : {}),
    },
    // Before a session, and while what it changed can still be told apart from a person's work.
    thorough: ['session-began', 'stopping', 'session-ended'].includes(event.type),
  });
  try {
    if (context.paused !== undefined) return pausedAnswer(event, context, context.paused);
    const answer = await answerEvent(event, context);
    return facts.join ? await facts.join(event, answer, context) : answer;
  } finally {
    context.close();
  }
}

async function answerEvent(event: Answered, context: HookContext): Promise<HookAnswer> {
  switch (event.type) {
    case 'session-began':
      return sessionBegan(context);
    case 'session-ended':
      return sessionEnded(context);
    case 'subagent-began':
      return subagentBegan(context);
    case 'prompted':
      return prompted(context, event);
    case 'acting':
      return actionBegins(context, event);
    case 'acted':
      return actionEnded(context, event);
    case 'batch-ended':
      return batchEnded(context, event);
    case 'stopping':
      return stopping(context, event);
    case 'settings-changed':
    case 'file-changed':
      return { ...answerWithReport(observeEvent(context, null)), decision: 'go' };
  }
}

/** A person's prompt is never refused. */
function prompted(
  context: HookContext,
  { text, byPerson }: Extract<HookEvent, { type: 'prompted' }>,
): HookAnswer {
  const { watch, source } = context;
  const open = unendedActions(watch, { session: source.session });
  if (byPerson) context.interrupted = open[0]?.body.summary;
  const { notices } = observeEvent(context, null, { ended: open });
  recordTranscript(context, byPerson ? 'person' : 'program', text);
  return notices.length === 0 ? GO : { decision: 'go', notice: notices.join('\n') };
}

/** While a person has paused GuardKit, nothing is judged or restored. Agent and person are notified once per session. */
function pausedAnswer(event: HookEvent, { watch, source }: HookContext, until: string): HookAnswer {
  const key = `paused in ${source.session}`;
  const isNotified = findLastCached(watch.ledger, key)?.stamp === until;
  if (isNotified || event.type === 'stopping' || event.type === 'session-ended') return { decision: 'go' };
  cacheRead(watch.ledger, key, until, {});
  const line = pauseNotice(until, Date.now());
  return { decision: 'go', context: line, notice: `${line} \`guardkit resume\` ends the pause.` };
}

export function pauseNotice(until: string, now: number): string {
  return `GuardKit is paused by the person until ${clockTime(until, now)}.`;
}
