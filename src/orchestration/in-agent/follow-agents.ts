import type { HookEvent, HookSource } from '../../enforcement/hook-event.ts';
import { STOP_TIMEOUT } from '../../enforcement/wiring/claude-settings.ts';
import { readFeature } from '../../store/ledger/feature-table.ts';
import { agentOf } from '../session/project-session.ts';
import type { Happening } from '../session/session-event.ts';
import type { KeptSession } from '../session-record/kept-session.ts';
import { type Details, readDetails } from './details.ts';
import { drive } from './drive.ts';
import { finishInitializer } from './finish-initializer.ts';
import { isDriven } from './is-driven.ts';
import { sessionAgent } from './judge-spawn.ts';
import { noteDetails } from './kept-details.ts';
import { noteSummary } from './note-summary.ts';
import { readBrief } from './read-brief.ts';
import { readClosingLines } from './read-closing-lines.ts';
import { recallPrecedents, recallShared } from './recall-precedents.ts';
import type { SessionGround } from './session-ground.ts';
import { tellCoding, tellInitializer, tellTester } from './tell-agent.ts';

/** A hook that stops an agent waits for a verification; a minute is left to say what came of it. */
export const LONG = { verifyWithin: (STOP_TIMEOUT - 60) * 1000 };

/** What an agent of the session is given when it begins; undefined for any other agent. */
export async function agentBegins(
  ground: SessionGround,
  kept: KeptSession,
  { actorType, actorId = '' }: HookSource,
): Promise<string | undefined> {
  const { session } = kept;
  const agent = sessionAgent(actorType);
  if (!agent || !isDriven(session)) return undefined;
  const { at_work } = readDetails(kept);
  if (agent !== agentOf(session.phase) || (at_work !== null && at_work.id !== actorId))
    return `GuardKit: it is not the ${agent} agent’s turn. Change nothing and end your answer.`;
  noteDetails(ground, session.session, { at_work: { id: actorId, agent }, blocks: 0 });
  const { attempt, failures } = session;
  if (agent === 'initializer')
    return tellInitializer(
      readBrief(ground.checkout, readDetails(kept)),
      failures,
      await recallShared(ground),
    );
  const feature =
    session.feature === null ? undefined : readFeature(ground.ledger, ground.project, session.feature);
  if (!feature) return undefined;
  const precedents = await recallPrecedents(ground, feature, agent);
  const given = { feature, attempt, failures, precedents };
  return agent === 'coding' ? tellCoding(given) : tellTester(given);
}

/** An agent of the session has ended: what it says is where to go on. */
export async function agentEnds(
  ground: SessionGround,
  kept: KeptSession,
  { source, said }: Extract<HookEvent, { type: 'stopping' }>,
): Promise<void> {
  const { session } = kept;
  const agent = sessionAgent(source.actorType);
  if (!agent || session.phase === 'ended') return;
  const { at_work } = readDetails(kept);
  // One that another agent of the session started, or that nobody expects.
  if (at_work !== null && at_work.id !== (source.actorId ?? '')) return;
  const phase = session.phase === 'paused' ? session.suspended : session.phase;
  if (phase === null || agent !== agentOf(phase)) return;
  if (agent === 'initializer') return void (await endInitializer(ground, kept));
  const { feature, attempt } = session;
  if (feature === null) return;
  const { claim, said: words } = readClosingLines(agent, feature, said);
  noteSummary(ground, feature, `${agent}, attempt ${attempt}`, words);
  const told: Happening = { type: 'agent_finished', agent, feature, attempt, claim, said: words };
  await drive(ground, session.session, told, LONG, WITHOUT_AGENT);
}

/** An agent of the session has ended without a word. */
export async function agentGone(ground: SessionGround, kept: KeptSession, why: string): Promise<KeptSession> {
  const { session, feature, attempt, phase } = kept.session;
  if (phase === 'paused') return noteDetails(ground, session, WITHOUT_AGENT);
  const told: Happening =
    feature === null
      ? { type: 'initializer_finished', attempt, faults: [`The initializer broke off: ${why}`] }
      : { type: 'agent_crashed', feature, attempt, why };
  return (await drive(ground, session, told, { verifyWithin: null }, WITHOUT_AGENT)).kept;
}

async function endInitializer(ground: SessionGround, kept: KeptSession): Promise<void> {
  const { session, phase, attempt } = kept.session;
  if (phase !== 'initializing') return void noteDetails(ground, session, WITHOUT_AGENT);
  const made = await finishInitializer(ground, session);
  const faults = made.ok ? [] : made.faults;
  const change: Partial<Details> = made.ok ? { base: made.base, base_made: true } : {};
  const told: Happening = { type: 'initializer_finished', attempt, faults };
  await drive(ground, session, told, LONG, { ...WITHOUT_AGENT, ...change });
}

const WITHOUT_AGENT: Partial<Details> = { at_work: null };
