import type { SessionPhase } from '../../domain/entities/session-state.ts';
import {
  agentCrashed,
  codingFinished,
  finishedInPause,
  initializerFinished,
  limitReached,
  testerFinished,
  troubleMet,
  waitForLimit,
  waitOver,
} from './agent-events.ts';
import { endBuild, endVerification } from './end-attempt.ts';
import { abandon, allowStop, featureRemoved, listChanged, resume, stopWanted } from './person-events.ts';
import { type Session, WORKING } from './session.ts';
import type { EventOf, SessionEvent, SessionEventType } from './session-event.ts';
import { pause, type Step, stay, stopAgent } from './session-step.ts';
import { check, chooseNext, endEmpty, finish, initialize, start } from './start-and-finish.ts';

/** Possible target phases, each with its condition; `same` means no change. */
export type Arrows = Partial<Record<SessionPhase | 'same', string>>;

export interface Row {
  from: readonly SessionPhase[];
  on: SessionEventType;
  to: Arrows;
  decide(session: Session, event: SessionEvent): Step;
}

function row<Type extends SessionEventType>(
  from: readonly SessionPhase[],
  on: Type,
  to: Arrows,
  decide: (session: Session, event: EventOf<Type>) => Step,
): Row {
  // The cast is safe: rows are looked up by event type.
  return { from, on, to, decide: decide as Row['decide'] };
}

const CHOSEN: Arrows = {
  coding: 'a feature is runnable',
  testing: 'a feature is claimed done',
  verifying_all: 'none is runnable, some are completed',
  ended: 'none is runnable',
};
const FAILED: Arrows = { coding: 'failed once', choosing: 'failed twice: blocked' };
const LIVE: readonly SessionPhase[] = [...WORKING, 'waiting'];
const UNENDED: readonly SessionPhase[] = [...LIVE, 'paused'];
const AGENT_AT_WORK: readonly SessionPhase[] = ['initializing', 'coding', 'testing'];
const BACK: Arrows = Object.fromEntries(WORKING.map((phase) => [phase, 'the suspended phase']));

/** The whole machine. Events without a row are refused; the diagram in docs/reference is drawn from this. */
export const SESSION_TABLE: readonly Row[] = [
  row(['new'], 'session_started', { checking: '' }, start),
  row(
    ['checking'],
    'features_known',
    { choosing: 'features exist', initializing: 'the list is empty' },
    check,
  ),
  row(['checking'], 'no_features', { initializing: '', choosing: 'a limit is reached' }, initialize),
  row(
    ['initializing'],
    'initializer_finished',
    { choosing: 'the list is valid, or has errors twice', initializing: 'errors, once' },
    initializerFinished,
  ),
  row(['choosing'], 'features_known', CHOSEN, chooseNext),
  row(['choosing'], 'no_features', { ended: '' }, endEmpty),
  row(['coding'], 'agent_finished', { testing: 'finished', ...FAILED }, codingFinished),
  row(['coding'], 'agent_crashed', FAILED, agentCrashed),
  row(
    ['coding'],
    'build_ended',
    {
      verifying: 'approved',
      coding: 'max_turns, escalated or failed, once',
      choosing: 'budget, or failed twice: blocked',
      paused: 'cancelled',
    },
    endBuild,
  ),
  row(['testing'], 'agent_finished', { verifying: '' }, testerFinished),
  row(['testing'], 'agent_crashed', { verifying: '' }, agentCrashed),
  row(
    ['verifying'],
    'verified',
    { choosing: 'passed, or not passed twice: blocked', coding: 'failed or absent, once' },
    endVerification,
  ),
  row(['verifying_all'], 'all_verified', { ended: 'failed features are reopened' }, finish),

  row(
    AGENT_AT_WORK,
    'rate_limited',
    { waiting: '', choosing: 'longer than the session lasts' },
    waitForLimit,
  ),
  row(['waiting'], 'wait_over', { initializing: '', coding: '', testing: '' }, waitOver),
  row(UNENDED, 'limit_reached', { same: 'no agent is active', choosing: 'an agent is active' }, limitReached),

  row(LIVE, 'person_prompted', { paused: '' }, (session, { at }) => pause(session, at, 'prompt')),
  row(LIVE, 'paused', { paused: '' }, (session, { at }) =>
    pause(session, at, 'person', { acts: stopAgent(session) }),
  ),
  row(LIVE, 'trouble_met', { paused: '' }, troubleMet),
  row(
    WORKING,
    'stop_wanted',
    { same: 'reminded of the next step', paused: 'no progress twice, or no further refusal allowed' },
    stopWanted,
  ),
  row(['waiting', 'paused', 'ended'], 'stop_wanted', { same: 'allowed' }, allowStop),
  row(['paused'], 'resumed', BACK, resume),
  row(LIVE, 'resumed', { same: 'after a crash of its process' }, resume),
  row(['paused'], 'person_prompted', { same: '' }, (session) => stay(session)),
  row(['paused'], 'agent_finished', { same: '' }, finishedInPause),
  row(['paused'], 'build_ended', { same: '' }, finishedInPause),
  row(UNENDED, 'abandoned', { ended: '' }, abandon),

  row(
    UNENDED,
    'feature_removed',
    { same: 'another feature', choosing: 'the current feature, or during the final verification' },
    featureRemoved,
  ),
  ...(['feature_added', 'feature_edited', 'feature_unblocked'] as const).map((on) =>
    row(UNENDED, on, { same: '', choosing: 'during the final verification' }, listChanged),
  ),
];

const ROWS: ReadonlyMap<string, Row> = new Map(
  SESSION_TABLE.flatMap((one) => one.from.map((phase) => [`${phase} ${one.on}`, one] as const)),
);

export function rowOf(phase: SessionPhase, on: SessionEventType): Row | undefined {
  return ROWS.get(`${phase} ${on}`);
}
