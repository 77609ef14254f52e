import { SESSION_AGENTS, type SessionAgent } from '../../domain/entities/session-state.ts';
import { bareAgentType } from '../../domain/feature-list/list-rights.ts';
import { agentOf, nextAction } from '../session/project-session.ts';
import type { Session } from '../session/session.ts';
import { isDriven } from '../session/session.ts';

export type SpawnVerdict =
  | { ok: true }
  | { ok: false; code: 'not_by_orchestrator' | 'not_its_turn' | 'busy'; why: string };

const GO: SpawnVerdict = { ok: true };

/** The session agent of this subagent type; undefined for any other type. */
export function sessionAgent(type: string | undefined): SessionAgent | undefined {
  if (type === undefined) return undefined;
  const bare = bareAgentType(type);
  return SESSION_AGENTS.find((agent) => agent === bare);
}

/**
 * Whether an agent may be started now. Agents of the session need their turn, and only the orchestrating agent starts
 * them; all other agents, such as ones that search, are always allowed.
 */
export function judgeSpawn(
  session: Session,
  type: string,
  { by, busy }: { by: string | undefined; busy: SessionAgent | undefined },
): SpawnVerdict {
  const agent = sessionAgent(type);
  if (!agent || !isDriven(session)) return GO;
  if (by !== undefined)
    return refuse(
      'not_by_orchestrator',
      `Only the orchestrating agent starts the ${agent} agent.`,
      'Do your own part and end your answer.',
    );
  if (agent !== agentOf(session.phase))
    return refuse('not_its_turn', `It is not the ${agent} agent’s turn.`, nextAction(session));
  if (busy)
    return refuse(
      'busy',
      `The ${busy} agent is already running.`,
      'End your answer; you are called when it has finished.',
    );
  return GO;
}

function refuse(code: Extract<SpawnVerdict, { ok: false }>['code'], ...words: string[]): SpawnVerdict {
  return { ok: false, code, why: words.join(' ') };
}
