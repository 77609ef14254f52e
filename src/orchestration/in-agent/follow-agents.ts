import type { HookEvent, HookSource } from '../../enforcement/hooks/hook-event.ts';
import { STOP_TIMEOUT } from '../../enforcement/install/claude-settings.ts';
import { readFeature } from '../../store/ledger/tables/feature-table.ts';
import { agentOf } from '../session/project-session.ts';
import type { Session } from '../session/session.ts';
import { isDriven } from '../session/session.ts';
import type { Happening } from '../session/session-event.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import {
  briefCodingAgent,
  briefInitializer,
  briefTester,
  recallPrecedents,
  recallShared,
} from './agent-briefing.ts';
import { drive } from './drive.ts';
import { finishInitializer } from './finish-initializer.ts';
import { sessionAgent } from './judge-spawn.ts';
import { noteSummary } from './note-summary.ts';
import { readClosingLines } from './read-closing-lines.ts';
import { readBrief } from './read-run-prompt.ts';
import type { SessionContext } from './session-context.ts';
import { type AgentAtWork, type Details, noteDetails, readDetails } from './session-details.ts';
import { settleFiles } from './set-aside-abandoned-work.ts';

/** A stop hook waits for a verification, with a minute left to report the result. */
export const LONG = { verifyWithin: (STOP_TIMEOUT - 60) * 1000 };

/** The instructions for an agent of the session at its start; undefined for any other agent. */
export async function agentBegins(
  context: SessionContext,
  before: KeptSession,
  { actorType, actorId = '' }: HookSource,
): Promise<string | undefined> {
  const { session } = before;
  const agent = sessionAgent(actorType);
  if (!agent || !isDriven(session)) return undefined;
  const { at_work } = readDetails(before);
  if (agent !== agentOf(session.phase) || (at_work !== null && at_work.id !== actorId))
    return `GuardKit: it is not the ${agent} agent’s turn. Do not change anything; end your answer.`;
  // Remove abandoned work before the agent starts to write.
  const kept = await settleFiles(context, before);
  const { attempt, failures } = session;
  const begun = { id: actorId, agent, feature: session.feature };
  noteDetails(context, session.session, { at_work: begun, blocks: 0 });
  if (agent === 'initializer')
    return briefInitializer(
      readBrief(context.checkout, readDetails(kept)),
      failures,
      await recallShared(context),
    );
  const feature =
    session.feature === null ? undefined : readFeature(context.ledger, context.project, session.feature);
  if (!feature) return undefined;
  const precedents = await recallPrecedents(context, feature, agent);
  const given = { feature, attempt, failures, precedents };
  return agent === 'coding' ? briefCodingAgent(given) : briefTester(given);
}

/** An agent of the session has ended; its claim decides the next phase. */
export async function agentEnds(
  context: SessionContext,
  kept: KeptSession,
  { source, said }: Extract<HookEvent, { type: 'stopping' }>,
): Promise<void> {
  const { session } = kept;
  const agent = sessionAgent(source.actorType);
  if (!agent || session.phase === 'ended') return;
  const { at_work } = readDetails(kept);
  // Not the expected agent.
  if (at_work !== null && at_work.id !== (source.actorId ?? '')) return;
  if (at_work !== null && isLeftBehind(session, at_work)) return void (await forget(context, kept));
  if (agent !== agentOf(session.suspended ?? session.phase)) return;
  if (agent === 'initializer') return void (await endInitializer(context, kept));
  const { feature, attempt } = session;
  if (feature === null) return;
  const { claim, said: words } = readClosingLines(agent, feature, said);
  // Its start was not seen, so without a claim it cannot be matched to the feature.
  if (at_work === null && claim === 'none') return;
  noteSummary(context, feature, `${agent}, attempt ${attempt}`, words);
  const told: Happening = { type: 'agent_finished', agent, feature, attempt, claim, said: words };
  await drive(context, session.session, told, LONG, WITHOUT_AGENT);
}

/** An agent of the session has ended without an answer. */
export async function agentGone(
  context: SessionContext,
  kept: KeptSession,
  why: string,
): Promise<KeptSession> {
  const { session, feature, attempt, phase } = kept.session;
  const { at_work } = readDetails(kept);
  if (at_work !== null && isLeftBehind(kept.session, at_work)) return forget(context, kept);
  if (phase === 'paused') return noteDetails(context, session, WITHOUT_AGENT);
  const told: Happening =
    feature === null
      ? { type: 'initializer_finished', attempt, faults: [`The initializer ended early: ${why}`] }
      : { type: 'agent_crashed', feature, attempt, why };
  return (await drive(context, session, told, { verifyWithin: null }, WITHOUT_AGENT)).kept;
}

/** The session has moved on without it, because its feature was removed from the list. */
function isLeftBehind(session: Session, { agent, feature }: AgentAtWork): boolean {
  return agent !== agentOf(session.suspended ?? session.phase) || feature !== session.feature;
}

/** Ignores its answer, and sets its changes aside now that it has ended. */
function forget(context: SessionContext, { session }: KeptSession): Promise<KeptSession> {
  return settleFiles(context, noteDetails(context, session.session, WITHOUT_AGENT));
}

async function endInitializer(context: SessionContext, kept: KeptSession): Promise<void> {
  const { session, phase, attempt } = kept.session;
  if (phase !== 'initializing') return void noteDetails(context, session, WITHOUT_AGENT);
  const made = await finishInitializer(context, session);
  const faults = made.ok ? [] : made.faults;
  const change: Partial<Details> = made.ok ? { base: made.base, base_made: true } : {};
  const told: Happening = { type: 'initializer_finished', attempt, faults };
  await drive(context, session, told, LONG, { ...WITHOUT_AGENT, ...change });
}

const WITHOUT_AGENT: Partial<Details> = { at_work: null };
