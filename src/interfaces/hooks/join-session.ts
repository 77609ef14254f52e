import { isDoctorSession } from '../../domain/doctor-session.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hooks/hook-event.ts';
import type { followSession } from '../../orchestration/in-agent/follow-session.ts';
import { readSessionRows } from '../../store/ledger/tables/driven-sessions.ts';
import { hasUnlearned, mayHaveTraces } from '../../store/ledger/tables/learning-progress.ts';
import { hasSaidOrDone } from '../../store/ledger/tables/transcript.ts';
import type { learnFromHook, noteCorrection, recallForSession } from './session-memory.ts';

/** Loaded only by the few hooks that need it. */
export interface SessionMemory {
  followSession: typeof followSession;
  learnFromHook: typeof learnFromHook;
  noteCorrection: typeof noteCorrection;
  recallForSession: typeof recallForSession;
}

/**
 * Adds the driven session's part to the guards' answer. Only a session that a person started is driven; any other costs one
 * ledger read. If the session fails, a notice is added and the guards' answer stands.
 */
export async function joinSession(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  { env, loadSession }: { env: NodeJS.ProcessEnv; loadSession: () => Promise<SessionMemory> },
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
    const line = `GuardKit: the session could not continue: ${why} Check \`guardkit session status\`.`;
    return withNotice(told, [line]);
  }
}

/** Learns when a session ends or the next one starts, if there is anything new. Another command may have delivered it already. */
async function learnNow(
  event: HookEvent,
  answer: HookAnswer,
  work: HookContext,
  { env, loadSession }: { env: NodeJS.ProcessEnv; loadSession: () => Promise<SessionMemory> },
): Promise<HookAnswer> {
  if (event.type !== 'session-ended' && event.type !== 'session-began') return answer;
  if (isDoctorSession(work.source.session)) return answer;
  const { ledger, project } = work.watch;
  try {
    if (!ledger.outbox.isPending(project) && !hasUnlearned(ledger, project)) return answer;
    const { learnFromHook } = await loadSession();
    return withNotice(answer, await learnFromHook(work, env));
  } catch (error) {
    // Safe: everything is on record and will be learned from next time.
    const why = error instanceof Error ? error.message : String(error);
    return withNotice(answer, [`GuardKit: learning failed: ${why}`]);
  }
}

function withNotice(answer: HookAnswer, lines: readonly string[]): HookAnswer {
  if (lines.length === 0) return answer;
  return {
    ...answer,
    notice: [...(answer.notice === undefined ? [] : [answer.notice]), ...lines].join('\n'),
  };
}

/** The few events that a session reacts to. */
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

/** The person's command that starts a driven session. */
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
 * Adds precedents when an agent starts, and records a correction when a person prompts. If memory is unavailable or fails, it
 * adds nothing.
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
    // Only a person's reply to an agent's work can correct it.
    if (
      event.type === 'prompted' &&
      event.byPerson &&
      work.recording.corrections &&
      !event.text.startsWith('/')
    ) {
      if (!hasSaidOrDone(ledger, project, work.source.session)) return answer;
      const { noteCorrection } = await loadSession();
      noteCorrection(event.text, work);
    }
    return answer;
  } catch {
    // Safe: enforcement does not depend on memory.
    return answer;
  }
}

function withContext(answer: HookAnswer, text: string): HookAnswer {
  if (text === '') return answer;
  return { ...answer, context: answer.context === undefined ? text : `${answer.context}\n\n${text}` };
}
