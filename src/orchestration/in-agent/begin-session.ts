import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../domain/json/json.ts';
import { findSession, isOver } from '../../enforcement/actions/sessions.ts';
import { projectFeatures } from '../../enforcement/feature-list/project-features.ts';
import { STOP_TIMEOUT } from '../../enforcement/install/claude-settings.ts';
import { stopTimeout } from '../../enforcement/install/wired-checkouts.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { Repository } from '../../platform/git/repository.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import { readFeatures } from '../../store/ledger/tables/feature-table.ts';
import { isDone } from '../session/next-runnable.ts';
import { NO_LIMITS } from '../session/session.ts';
import { startSession } from '../session-record/apply-event.ts';
import { type KeptSession, keepSession, openSessions } from '../session-record/kept-session.ts';
import { type Driven, drive, type Patience, performActs } from './drive.ts';
import type { SessionContext } from './session-context.ts';
import { newDetails, readDetails } from './session-details.ts';
import { openInCheckout } from './verify-in-checkout.ts';

export interface BeginRequest {
  /** The agent session that drives it. */
  agentSession: string;
  maxFeatures: number | null;
  brief: string;
  prefix: string;
}

export type Begun =
  | ({ ok: true; resumed: boolean; notices: string[] } & Driven)
  | { ok: false; why: string; hint: string };

/** Starts a session inside an agent session, or resumes the open one. */
export async function beginSession(
  context: SessionContext,
  request: BeginRequest,
  patience: Patience,
): Promise<Begun> {
  const open = openSessions(context.ledger, context.project);
  const own = open.find(({ agent_session }) => agent_session === request.agentSession);
  if (own) return resume(context, own, request, patience);
  const [other] = open;
  const tooShort = refuseShortTimeout(context);
  if (tooShort) return tooShort;
  if (!other) return start(context, request, patience);
  const taken = refuseTaken(context, other);
  if (taken) return taken;
  return resume(context, other, request, patience);
}

/** Settings written by an earlier GuardKit end a hook before most verifications finish. */
function refuseShortTimeout({ checkout }: SessionContext): Begun | undefined {
  const seconds = stopTimeout(checkout);
  if (seconds === undefined || seconds >= STOP_TIMEOUT) return undefined;
  return {
    ok: false,
    why: `The installed hooks stop verifications after ${seconds} seconds.`,
    hint: 'Run `guardkit init --agent claude` in a terminal to update them, then restart Claude Code.',
  };
}

/** Undefined if the session can be taken over, because nothing drives it any more. */
function refuseTaken({ ledger, project, checkout }: SessionContext, other: KeptSession): Begun | undefined {
  const { session, driven_by, phase } = other.session;
  const hint = `\`guardkit session status\` shows it; \`guardkit session abandon --session ${session}\` ends it.`;
  if (driven_by === 'run' || other.agent_session === null)
    return {
      ok: false,
      why: `\`guardkit run\` has session ${session} open in this project (${phase}).`,
      hint: `${hint} \`guardkit run\` in a terminal continues it.`,
    };
  const agent = findSession({ ledger, project }, other.agent_session);
  if (agent && !isOver(agent))
    return { ok: false, why: `Another agent session drives session ${session}.`, hint };
  if (other.checkout !== checkout)
    return { ok: false, why: `Session ${session} was started in ${other.checkout}.`, hint };
  return undefined;
}

async function resume(
  context: SessionContext,
  { session: { session } }: KeptSession,
  { agentSession, prefix, brief }: BeginRequest,
  patience: Patience,
): Promise<Begun> {
  takeOver(context, session, agentSession, { prefix, ...(brief === '' ? {} : { brief }) });
  const driven = await drive(context, session, { type: 'resumed' }, patience);
  return { ok: true, resumed: true, notices: [], ...driven };
}

function takeOver(
  { ledger, project }: SessionContext,
  id: string,
  agentSession: string,
  change: { prefix: string; brief?: string },
): void {
  inTransaction(ledger, () => {
    const kept = openSessions(ledger, project).find(({ session }) => session.session === id);
    if (!kept) return;
    const before = readDetails(kept);
    // An agent of another process ended with that process.
    const at_work = kept.agent_session === agentSession ? before.at_work : null;
    const details = { ...before, ...change, at_work, blocks: 0 } as unknown as JsonObject;
    keepSession(ledger, project, { ...kept, agent_session: agentSession, details });
  });
}

async function start(context: SessionContext, request: BeginRequest, patience: Patience): Promise<Begun> {
  const { ledger, project, checkout, list, changedBy } = context;
  const repository = await Repository.open(checkout);
  const base = (await repository.commit('HEAD')) ?? null;
  await projectFeatures(list, changedBy, { create: false });
  const features = readFeatures(ledger, project);
  const [first] = features.filter((one) => !isDone(one));
  if (first) {
    const why = await whyUnverifiable(context, base, first.id);
    if (why) return why;
  }
  const { agentSession, maxFeatures, brief, prefix } = request;
  const applied = startSession(
    { list, changedBy, watch: context.watch },
    {
      id: `SES-${randomBytes(5).toString('hex')}`,
      at: context.now(),
      driven_by: 'hooks',
      limits: { ...NO_LIMITS, max_features: maxFeatures },
      agent_session: agentSession,
      details: newDetails({ base, brief, prefix }) as unknown as JsonObject,
    },
  );
  const driven = await performActs(context, applied, patience);
  return { ok: true, resumed: false, notices: await uncommitted(repository, features.length), ...driven };
}

/** Checked first: otherwise this would show only after hours of work. */
async function whyUnverifiable(
  context: SessionContext,
  base: string | null,
  feature: string,
): Promise<Begun | undefined> {
  if (base === null)
    return {
      ok: false,
      why: 'There are features but no commit yet, so the work has no base to be judged against.',
      hint: 'Commit the project with its .guardkit/config.yaml, then start the session.',
    };
  try {
    await openInCheckout(context, { commit: base, made: false }, feature, { fromItsStart: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof GuardKitError)) throw error;
    return { ok: false, why: error.message, hint: error.hint };
  }
}

async function uncommitted(repository: Repository, features: number): Promise<string[]> {
  if (features === 0) return [];
  const changed = await repository.run(['status', '--porcelain', '-z', '--untracked-files=normal']);
  const count = changed.split('\0').filter((line) => line !== '').length;
  return count === 0 ? [] : [`${count} uncommitted files; they are judged as part of the session’s work.`];
}
