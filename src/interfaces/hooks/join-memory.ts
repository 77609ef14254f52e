import { isDoctorSession } from '../../domain/doctor-session.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hooks/hook-event.ts';
import { mayHaveTraces } from '../../store/ledger/tables/learning-progress.ts';
import { hasSaidOrDone } from '../../store/ledger/tables/transcript.ts';
import type { noteCorrection } from './note-correction.ts';
import type { recallForSession } from './recall-for-session.ts';

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
export async function joinMemory(
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
