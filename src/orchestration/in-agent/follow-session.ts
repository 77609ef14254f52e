import { actionRefused } from '../../enforcement/hooks/answer-actions.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hooks/hook-event.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { agentOf } from '../session/project-session.ts';
import { isDriven } from '../session/session.ts';
import { whyEnded } from '../session/session-step.ts';
import { type KeptSession, readKeptSession } from '../session-record/kept-session.ts';
import { beginSession } from './begin-session.ts';
import { briefOrchestrator, describeSessionEnd, stateLines } from './brief-orchestrator.ts';
import { drive } from './drive.ts';
import { agentBegins, agentEnds, agentGone } from './follow-agents.ts';
import { judgeSpawn, sessionAgent } from './judge-spawn.ts';
import { type RunPrompt, readRunPrompt } from './read-run-prompt.ts';
import { openSessionContext, type SessionContext } from './session-context.ts';
import { findDriven, noteDetails, noteDriven, readDetails, takeNotices } from './session-details.ts';
import { sessionStops } from './session-stops.ts';

/** No verification now: it runs when the agent stops. */
const SHORT = { verifyWithin: null };

/** Adds the session's part to the answer of a hook; a refusal by the guards stays. */
export async function followSession(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  env: NodeJS.ProcessEnv,
): Promise<HookAnswer> {
  const context = openSessionContext(work, env);
  const { session: agentSession, agent } = event.source;
  const order =
    event.type === 'prompted' && event.byPerson && event.source.actorType === undefined
      ? readRunPrompt(event.text)
      : undefined;
  if (order) return begin(context, order, event, answer);
  const kept = findDriven(context, agentSession);
  if (!kept) return answer;
  const said = await follow(context, kept, event, answer, work);
  const after = readKeptSession(context.ledger, context.project, kept.session.session);
  if (!after) return said;
  noteDriven(context, after, agent);
  return withNotice(said, ...takeNotices(context, after).map((line) => `GuardKit: ${line}`));
}

async function follow(
  context: SessionContext,
  kept: KeptSession,
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
): Promise<HookAnswer> {
  switch (event.type) {
    case 'session-began':
      return beganAgain(context, kept, event, answer);
    case 'prompted':
      return event.byPerson ? personSpoke(context, kept, answer) : programSpoke(context, kept, event, answer);
    case 'acting':
      return spawning(kept, event, answer, work);
    case 'acted':
      return spawned(context, kept, event, answer);
    case 'subagent-began':
      return withContext(answer, await agentBegins(context, kept, event.source));
    case 'stopping':
      if (event.of === 'session') return sessionStops(context, kept, event, answer);
      // An agent that a guard sent back has not ended.
      if (answer.decision === 'go') await agentEnds(context, kept, event);
      return answer;
    default:
      return answer;
  }
}

async function begin(
  context: SessionContext,
  { prefix, maxFeatures, brief }: RunPrompt,
  { source }: HookEvent,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const asked = { agentSession: source.session, maxFeatures, brief, prefix };
  const begun = await beginSession(context, asked, SHORT);
  if (!begun.ok) {
    const told = `GuardKit could not start the session: ${begun.why} ${begun.hint}`;
    return withNotice(withContext(answer, `${told}\nTell the person this and do nothing else.`), told);
  }
  noteDriven(context, begun.kept, source.agent);
  const notices = begun.notices.map((line) => `GuardKit: ${line}`);
  return withNotice(withContext(answer, describeState(context, begun.kept)), ...notices);
}

function beganAgain(
  context: SessionContext,
  kept: KeptSession,
  { fresh = true }: Extract<HookEvent, { type: 'session-began' }>,
  answer: HookAnswer,
): HookAnswer {
  const now = fresh ? noteDetails(context, kept.session.session, { at_work: null, blocks: 0 }) : kept;
  return withContext(answer, describeState(context, now));
}

/** A person's prompt pauses the session. */
async function personSpoke(
  context: SessionContext,
  kept: KeptSession,
  answer: HookAnswer,
): Promise<HookAnswer> {
  if (!isDriven(kept.session)) return answer;
  await drive(context, kept.session.session, { type: 'person_prompted' }, SHORT);
  return withContext(
    answer,
    `GuardKit session ${kept.session.session} is paused because a person gave a prompt: do what they ask. It resumes only when they type /guardkit-run.`,
  );
}

/** The agent program sends a prompt when a background agent has ended. */
async function programSpoke(
  context: SessionContext,
  kept: KeptSession,
  { ended }: Extract<HookEvent, { type: 'prompted' }>,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const { at_work } = readDetails(kept);
  const now =
    at_work !== null && at_work.id === ended
      ? await agentGone(context, kept, 'its program reported its end, but it gave no answer')
      : kept;
  return withContext(answer, describeState(context, now));
}

function spawning(
  kept: KeptSession,
  event: Extract<HookEvent, { type: 'acting' }>,
  answer: HookAnswer,
  work: HookContext,
): HookAnswer {
  const { request, source } = event;
  if (request.kind !== 'spawn' || answer.decision === 'stop') return answer;
  const busy = readDetails(kept).at_work?.agent;
  const verdict = judgeSpawn(kept.session, request.type, { by: source.actorType, busy });
  if (verdict.ok) return answer;
  actionRefused(work, event, verdict.why);
  return { ...answer, decision: 'stop', reason: `GuardKit: ${verdict.why}` };
}

async function spawned(
  context: SessionContext,
  kept: KeptSession,
  { source, spawned: outcome }: Extract<HookEvent, { type: 'acted' }>,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const agent = sessionAgent(outcome?.type);
  if (!outcome || !agent || source.actorType !== undefined) return answer;
  const broke = outcome.failure !== undefined && readDetails(kept).at_work?.agent === agent;
  const now = broke ? await agentGone(context, kept, outcome.failure ?? '') : kept;
  if (!outcome.background || agentOf(now.session.phase) !== agent)
    return withContext(answer, describeState(context, now));
  // Its start may not be reported yet.
  const details = { ...readDetails(now), at_work: { id: '', agent, feature: now.session.feature } };
  return withContext(answer, briefOrchestrator(now.session, details));
}

/** The state of the session, or its end, which is reported only once. */
function describeState(context: SessionContext, kept: KeptSession): string {
  const { session } = kept;
  if (session.phase === 'ended') {
    noteDetails(context, session.session, { told_end: true });
    const features = readFeatures(context.ledger, context.project);
    return `${describeSessionEnd(session, features, whyEnded(session))}\nTell the person this and stop.`;
  }
  const details = readDetails(kept);
  if (session.phase !== 'paused') return briefOrchestrator(session, details);
  const lines = stateLines(session, details);
  return session.pause === 'trouble' ? `${lines}\nTell the person this and stop.` : lines;
}

function withContext(answer: HookAnswer, text: string | undefined): HookAnswer {
  if (text === undefined || text === '') return answer;
  return { ...answer, context: answer.context === undefined ? text : `${answer.context}\n\n${text}` };
}

function withNotice(answer: HookAnswer, ...lines: readonly string[]): HookAnswer {
  const all = [...(answer.notice === undefined ? [] : [answer.notice]), ...lines];
  return all.length === 0 ? answer : { ...answer, notice: all.join('\n') };
}
