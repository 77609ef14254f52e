import { isDoctorSession } from '../../domain/doctor-session.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hooks/hook-event.ts';
import type { followSession } from '../../orchestration/in-agent/follow-session.ts';
import { hasUnlearned, mayHaveTraces } from '../../store/ledger/tables/learning-progress.ts';
import { readSessionRows } from '../../store/ledger/tables/session-table.ts';
import { hasSaidOrDone } from '../../store/ledger/tables/transcript.ts';
import type { learnFromHook, noteCorrection, recallForSession } from './session-parts.ts';

/** What hooks need only sometimes, and load only then. */
export interface SessionParts {
  followSession: typeof followSession;
  learnFromHook: typeof learnFromHook;
  noteCorrection: typeof noteCorrection;
  recallForSession: typeof recallForSession;
}

/**
 * Joins the part of a driven session to what the guards said. Only a session that a person had started is driven; in every
 * other one look at the ledger is all that this costs. A session that cannot go on says so, and takes nothing back that the
 * guards have said.
 */
export async function joinSession(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  { env, loadSession }: { env: NodeJS.ProcessEnv; loadSession: () => Promise<SessionParts> },
): Promise<HookAnswer> {
  const learned = await learnNow(event, answer, work, { env, loadSession });
  const driven = isHeard(event) && (isOrder(event) || isKnown(work));
  const told = driven ? learned : await joinMemory(event, learned, work, { env, loadSession });
  if (!driven) return told;
  try {
    const { followSession } = await loadSession();
    return await followSession(event, told, work, env);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const line = `GuardKit: the session could not go on: ${why} \`guardkit session status\` shows where it stands.`;
    return withNotice(told, [line]);
  }
}

/** Learns at the end of a session, or when the next begins, if there is anything new: another command may have delivered it to memory already. */
async function learnNow(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  { env, loadSession }: { env: NodeJS.ProcessEnv; loadSession: () => Promise<SessionParts> },
): Promise<HookAnswer> {
  if (event.type !== 'session-ended' && event.type !== 'session-began') return answer;
  if (isDoctorSession(work.source.session)) return answer;
  const { ledger, project } = work.watch;
  try {
    if (!ledger.outbox.isPending(project) && !hasUnlearned(ledger, project)) return answer;
    const { learnFromHook } = await loadSession();
    return withNotice(answer, await learnFromHook(work, env));
  } catch (error) {
    // Safe: it is all on record, and learned from the next time.
    const why = error instanceof Error ? error.message : String(error);
    return withNotice(answer, [`GuardKit: nothing was learned this time: ${why}`]);
  }
}

function withNotice(answer: HookAnswer, lines: readonly string[]): HookAnswer {
  if (lines.length === 0) return answer;
  return {
    ...answer,
    notice: [...(answer.notice === undefined ? [] : [answer.notice]), ...lines].join('\n'),
  };
}

/** The few events that mean something to a session: not what an agent does all day. */
function isHeard(event: HookEvent): boolean {
  switch (event.type) {
    case 'session-began':
    case 'prompted':
    case 'subagent-began':
    case 'stopping':
      return true;
    case 'acting':
      return event.request.kind === 'spawn';
    case 'acted':
      return event.spawned !== undefined;
    default:
      return false;
  }
}

/** What a person types to have the features worked through. */
function isOrder(event: HookEvent): boolean {
  return (
    event.type === 'prompted' && event.byPerson && /^\s*\/(?:guardkit:)?guardkit-run(?:\s|$)/.test(event.text)
  );
}

function isKnown({ watch: { ledger, project }, source }: HookContext): boolean {
  const isOwn = ({ agent_session }: { agent_session: string | null }) => agent_session === source.session;
  return (
    readSessionRows(ledger, project, { ended: false }).some(isOwn) ||
    readSessionRows(ledger, project, { ended: true, limit: 1 }).some(isOwn)
  );
}

interface MemoryContext {
  env: NodeJS.ProcessEnv;
  loadSession: () => Promise<{
    noteCorrection: typeof noteCorrection;
    recallForSession: typeof recallForSession;
  }>;
}

/**
 * What memory adds to an answer: precedents as an agent begins, and the note of a correction as a person speaks. It may be
 * away or fail, and then adds nothing.
 */
async function joinMemory(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  { env, loadSession }: MemoryContext,
): Promise<HookAnswer> {
  const { ledger, project } = work.watch;
  if (isDoctorSession(work.source.session)) return answer;
  try {
    if (event.type === 'session-began' || event.type === 'subagent-began') {
      if (!mayHaveTraces(ledger, project)) return answer;
      const { recallForSession } = await loadSession();
      return withContext(answer, await recallForSession(work, env));
    }
    // Only what a person says in answer to what an agent did can correct it.
    if (
      event.type === 'prompted' &&
      event.byPerson &&
      work.keeping.corrections &&
      !event.text.startsWith('/')
    ) {
      if (!hasSaidOrDone(ledger, project, work.source.session)) return answer;
      const { noteCorrection } = await loadSession();
      noteCorrection(event.text, work);
    }
    return answer;
  } catch {
    // Safe: nothing that is enforced stands on it.
    return answer;
  }
}

function withContext(answer: HookAnswer, text: string): HookAnswer {
  if (text === '') return answer;
  return { ...answer, context: answer.context === undefined ? text : `${answer.context}\n\n${text}` };
}
