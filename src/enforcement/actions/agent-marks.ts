/** By which variables an agent's program marks what it starts. */
export interface AgentMarks {
  /** Holds the id of the session. */
  session: string;
  /** Holds the number of the agent's own process. */
  process: string;
  /** Its value ends in this for what the program starts for itself: hooks, servers. */
  own: readonly [name: string, ending: string];
}

const MARKS: Readonly<Record<string, AgentMarks>> = {
  claude: { session: 'CLAUDE_CODE_SESSION_ID', process: 'CLAUDE_PID', own: ['AI_AGENT', '_harness'] },
};

/** Undefined for an agent that marks nothing. */
export function agentMarks(agent: string): AgentMarks | undefined {
  return Object.hasOwn(MARKS, agent) ? MARKS[agent] : undefined;
}
