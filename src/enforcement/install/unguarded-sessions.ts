import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../../platform/files/path-inside.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { findSession } from '../actions/sessions.ts';
import { AGENT_WIRINGS, wiredAgents } from './agent-wirings.ts';
import { LOCAL_SETTINGS, SHARED_SETTINGS } from './settings-file.ts';

export interface UnguardedSession {
  agent: string;
  /** For people. */
  title: string;
  session: string;
  /** ISO 8601. */
  began: string;
}

const SINCE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Sessions of the last days in this checkout that no hook reported, although hooks are installed: they were not trusted or
 * switched off. Sessions from before the installation do not count.
 */
export function unguardedSessions(
  { ledger, project, root }: { ledger: Ledger; project: string; root: string },
  env: NodeJS.ProcessEnv,
  now: number,
): UnguardedSession[] {
  const real = realFolder(root);
  return wiredAgents(root).flatMap((agent) => {
    const { title, file, sessions } = AGENT_WIRINGS[agent];
    if (!sessions) return [];
    const installed = installedAt(root, file === undefined ? CLAUDE_FILES : [file]) ?? now;
    const found = sessions(env, Math.max(now - SINCE_MS, installed)).filter(
      ({ session, folder, began }) =>
        began >= installed &&
        isInside(realFolder(folder), real) &&
        findSession({ ledger, project }, session) === undefined,
    );
    // Subagents have files of their own.
    const first = new Map(found.map((one) => [one.session, one]));
    return [...first.values()].map(({ session, began }) => ({
      agent,
      title,
      session,
      began: new Date(began).toISOString(),
    }));
  });
}

/** Claude Code has hooks for one person or for the team. */
const CLAUDE_FILES = [LOCAL_SETTINGS, SHARED_SETTINGS];

/** When the settings with the hooks last changed. */
function installedAt(root: string, files: readonly string[]): number | undefined {
  const times = files.flatMap((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** In one line; nothing if all recent sessions were guarded. */
export function describeUnguarded(sessions: readonly UnguardedSession[]): string[] {
  const [last] = sessions.toSorted((a, b) => (a.began < b.began ? 1 : -1));
  if (!last) return [];
  const count = sessions.length === 1 ? '1 recent session' : `${sessions.length} recent sessions`;
  return [
    `${count} ran without GuardKit’s hooks, the last in ${last.title} at ${last.began}. Review the changes; \`guardkit doctor\` shows the sessions.`,
  ];
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Safe: a folder that is gone is not this checkout.
    return path;
  }
}
