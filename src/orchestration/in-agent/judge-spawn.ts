import { SESSION_AGENTS, type SessionAgent } from '../../domain/entities/session-state.ts';
import { bareAgentType } from '../../domain/feature-list/list-rights.ts';
import { agentOf, nextAction } from '../session/project-session.ts';
import type { Session } from '../session/session.ts';
import { isDriven } from '../session/session.ts';

export type SpawnVerdict =
  | { ok: true }
  | { ok: false; code: 'not_by_orchestrator' | 'not_its_turn' | 'busy'; why: string };

const GO: SpawnVerdict = { ok: true };

/** The agent of a session that a kind of subagent is; undefined for any other. */
export function sessionAgent(type: string | undefined): SessionAgent | undefined {
  if (type === undefined) return undefined;
  const bare = bareAgentType(type);
  return SESSION_AGENTS.find((agent) => agent === bare);
}

/**
 * Whether an agent may be started now. Those of the session have their turn, and only the agent that talks to the person
 * starts them; all others, such as ones that look something up, are nobody's business here.
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
      `The ${agent} agent is started by the orchestrating agent alone.`,
      'Do your own part and hand it back.',
    );
  if (agent !== agentOf(session.phase))
    return refuse('not_its_turn', `It is not the ${agent} agent’s turn.`, nextAction(session));
  if (busy)
    return refuse(
      'busy',
      `The ${busy} agent is at work already.`,
      'Wait for it: end your answer, and you are called when it has ended.',
    );
  return GO;
}

function refuse(code: Extract<SpawnVerdict, { ok: false }>['code'], ...words: string[]): SpawnVerdict {
  return { ok: false, code, why: words.join(' ') };
}
