import { wrapperProfile } from './wrapper-profile.ts';

/** Set in commands that the broker runs outside the wrapper for an agent. */
export const INSIDE_AGENT_VARIABLE = 'GUARDKIT_INSIDE_AGENT';

/** Why there is no person here: a wrapped command of an agent, or the broker for such a command, started this process. */
export const INSIDE_AGENT = 'this runs inside the agent';

/** Whether a wrapped command of an agent started this process, whatever terminal it has. */
export function isInsideAgent(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[INSIDE_AGENT_VARIABLE] !== undefined || wrapperProfile() !== undefined;
}
