import { readFileSync } from 'node:fs';

/** Mounts that an agent's command may have: `git` for commands that change the work tree, `ordinary` for all others. */
export type WrapperProfile = 'ordinary' | 'git';

/** The wrapper mounts `shell/KEY/profile/NAME` of the data folder at `shell/KEY/profile/current`. */
const PROFILE_ROOT = /\/shell\/[0-9a-f]{16}\/profile\/(ordinary|git)$/;
const PROFILE_TARGET = /\/shell\/[0-9a-f]{16}\/profile\/current$/;

/** The wrapper profile of a process, from its mounts; undefined for a process outside the wrapper. */
export function wrapperProfile(pid: number | 'self' = 'self'): WrapperProfile | undefined {
  try {
    return profileOf(readFileSync(`/proc/${pid}/mountinfo`, 'latin1'));
  } catch {
    // Safe: without /proc there is no bubblewrap, and an ended process has no mounts.
    return undefined;
  }
}

export function profileOf(mountinfo: string): WrapperProfile | undefined {
  if (!mountinfo.includes('/profile/current ')) return undefined;
  for (const line of mountinfo.split('\n')) {
    const [, , , root = '', target = ''] = line.split(' ');
    if (!PROFILE_TARGET.test(target)) continue;
    const found = PROFILE_ROOT.exec(root)?.[1];
    if (found !== undefined) return found as WrapperProfile;
  }
  return undefined;
}

/** Set in commands that the broker runs outside the wrapper for an agent. */
export const INSIDE_AGENT_VARIABLE = 'GUARDKIT_INSIDE_AGENT';

/** The reason that there is no person: a wrapped command, or the broker for one, started this process. */
export const INSIDE_AGENT = 'this runs inside the agent';

/** Whether a wrapped command of an agent started this process, regardless of its terminal. */
export function isInsideAgent(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[INSIDE_AGENT_VARIABLE] !== undefined || wrapperProfile() !== undefined;
}
