import { oneLine } from '../../domain/json/clean-text.ts';
import type { HookAnswer, HookEvent } from '../../enforcement/hooks/hook-event.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { whyEnded } from '../session/session-step.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { briefOrchestrator, describeSessionEnd } from './brief-orchestrator.ts';
import { drive } from './drive.ts';
import { agentGone, LONG } from './follow-agents.ts';
import type { SessionContext } from './session-context.ts';
import { noteDetails, readDetails } from './session-details.ts';

/** The agent program allows this many blocked stops in a row; a tool use resets the count. */
const MAX_BLOCKS = 8;

type Stopping = Extract<HookEvent, { type: 'stopping' }>;

/** Keeps the orchestrating agent running while there is something to do. */
export async function sessionStops(
  context: SessionContext,
  before: KeptSession,
  event: Stopping,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const { session: id } = before.session;
  if (answer.decision !== 'go') {
    noteDetails(context, id, ({ blocks }) => ({ blocks: blocks + 1 }));
    return answer;
  }
  // It is called again when the background agents have ended.
  if ((event.background ?? []).length > 0) return answer;
  const kept = await catchUp(context, before);
  if (kept.session.phase === 'ended') return reportEndOnce(context, kept, answer);
  const details = readDetails(kept);
  const blocks = event.again ? details.blocks : 0;
  const { kept: after, acts } = await drive(
    context,
    id,
    { type: 'stop_wanted', may_refuse: blocks < MAX_BLOCKS },
    LONG,
  );
  if (after.session.phase === 'ended') return reportEndOnce(context, after, answer);
  if (acts.some(({ type }) => type === 'keep_going')) {
    noteDetails(context, id, { blocks: blocks + 1 });
    return { ...answer, decision: 'stop', reason: briefOrchestrator(after.session, readDetails(after)) };
  }
  const allowed = acts.find((act) => act.type === 'let_stop');
  if (!allowed || before.session.phase === 'paused') return answer;
  const { pause, last_result } = after.session;
  const why = pause === 'trouble' ? ` ${oneLine(last_result ?? '', 1000)}` : '';
  return { ...answer, notice: withNotice(answer, `GuardKit: session ${id} is paused. ${allowed.why}${why}`) };
}

/** Resumes work that was cut off with its process. */
async function catchUp(context: SessionContext, kept: KeptSession): Promise<KeptSession> {
  const { at_work } = readDetails(kept);
  const present = at_work === null ? kept : await agentGone(context, kept, 'it ended without an answer');
  const { phase, session } = present.session;
  if (phase === 'verifying' || phase === 'verifying_all' || phase === 'checking' || phase === 'choosing')
    return (await drive(context, session, { type: 'resumed' }, LONG)).kept;
  return present;
}

/** Reports the end once, so that the agent can tell the person; then it may stop. */
function reportEndOnce(context: SessionContext, kept: KeptSession, answer: HookAnswer): HookAnswer {
  const { session } = kept;
  if (readDetails(kept).told_end) return answer;
  noteDetails(context, session.session, { told_end: true });
  const features = readFeatures(context.ledger, context.project);
  const end = describeSessionEnd(session, features, whyEnded(session));
  return { ...answer, decision: 'stop', reason: `${end}\nTell the person this and stop.` };
}

function withNotice({ notice }: HookAnswer, line: string): string {
  return notice === undefined ? line : `${notice}\n${line}`;
}
