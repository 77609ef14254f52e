import type { SessionAgent, SessionPhase, SessionStateFile } from '../../domain/entities/session-state.ts';
import { MAX_ATTEMPTS, type Pause, type Session } from './session.ts';

const AGENTS: Partial<Record<SessionPhase, SessionAgent>> = {
  initializing: 'initializer',
  coding: 'coding',
  testing: 'tester',
};

/** The agent that works in a phase. */
export function agentOf(phase: SessionPhase): SessionAgent | null {
  return AGENTS[phase] ?? null;
}

/** The content of `session-state.json`. */
export function projectSession(session: Session): SessionStateFile {
  return {
    version: 1,
    session_id: session.session,
    state: session.phase,
    feature: session.feature,
    agent: agentOf(session.phase),
    attempt: session.attempt,
    since: session.since,
    next_action: nextAction(session),
    last_result: session.last_result,
  };
}

/** The next action, in words for an agent or a person. */
export function nextAction(session: Session): string {
  const { feature, attempt, suspended } = session;
  const isRun = session.driven_by === 'run';
  switch (session.phase) {
    case 'new':
      return 'Start the session.';
    case 'checking':
    case 'choosing':
      return 'GuardKit chooses the next feature.';
    case 'initializing':
      return isRun
        ? 'GuardKit runs the initializer to create the features.'
        : 'Spawn the initializer agent to write the feature list.';
    case 'coding':
      return `${isRun ? 'GuardKit builds' : 'Spawn the coding agent for'} ${feature} (attempt ${attempt} of ${MAX_ATTEMPTS}).`;
    case 'testing':
      return `Spawn the tester agent for ${feature}.`;
    case 'verifying':
      return `GuardKit verifies ${feature}.`;
    case 'verifying_all':
      return 'GuardKit verifies all completed features together.';
    case 'waiting':
      return `Wait until ${session.wait_until}, then continue with ${suspended}.`;
    case 'paused':
      return `${PAUSED[session.pause ?? 'person']} Continue with \`${isRun ? 'guardkit run' : 'guardkit session resume'}\`.`;
    case 'ended':
      return 'Nothing; the session has ended.';
  }
}

const PAUSED: Record<Pause, string> = {
  person: 'A person paused the session.',
  prompt: 'A person gave a prompt, which takes priority.',
  cancelled: 'The work was interrupted.',
  trouble: 'An external error stopped the session.',
  no_progress: 'The agent made no progress after two reminders.',
  block_limit: 'The agent program allows no further refusals to stop.',
};
