import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../../platform/files/path-inside.ts';
import { environmentOf, isRunning } from '../../platform/processes/process-table.ts';
import { watchTables } from '../actions/open-actions.ts';
import { knownSessions } from '../actions/sessions.ts';
import type { WatchContext } from '../watch/watch-context.ts';

export interface PersonsEnvironment {
  env: NodeJS.ProcessEnv;
  /** Names of variables that the agent set or changed. */
  leftOut: string[];
}

/**
 * The environment that the person gave the agent's program, for commands that judge the agent's work: otherwise the agent
 * could make them pass with a variable, or with another program on the PATH. Unchanged if no agent runs in the checkout, or
 * the system does not show its environment.
 */
export function personsEnvironment(
  { ledger, checkout }: Pick<WatchContext, 'ledger' | 'checkout'>,
  env: NodeJS.ProcessEnv,
): PersonsEnvironment {
  const program = knownSessions(watchTables(ledger))
    .filter((session) => session.checkout === checkout && !session.ended)
    .map(({ process }) => process)
    .find((one) => one !== null && isRunning(one));
  const given = program ? environmentOf(program.pid) : [];
  return given.length === 0 ? { env, leftOut: [] } : withoutAgents(env, asEnvironment(given), checkout);
}

function asEnvironment(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf('=');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
    }),
  );
}

/** Variables that shells and agents' programs set for every child. */
const USUAL =
  /^(?:_|PWD|OLDPWD|SHLVL|SHELL|TERM|COLUMNS|LINES|GIT_EDITOR|AI_AGENT|(?:CLAUDE|COREPACK|OTEL).*)$/;

/** Pure. */
export function withoutAgents(
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>>,
  checkout: string,
): PersonsEnvironment {
  const PATH = mergedPath(env.PATH ?? '', given.PATH ?? '', checkout);
  const names = Object.keys(env).filter((name) => name !== 'PATH' && !USUAL.test(name));
  return { env: { ...given, PATH }, leftOut: names.filter((name) => env[name] !== given[name]).sort() };
}

/** Folders with the checkout's own packages, which stay first. */
const PACKAGES = /\/(?:\.?venv\/bin|node_modules\/\.bin)\/?$/;

/** The person's folders come before the agent's, so the agent can add programs but not replace them. */
function mergedPath(agents: string, persons: string, checkout: string): string {
  const own = agents.split(delimiter).filter(isAbsolute);
  const packages = own.filter((folder) => isInside(folder, checkout) && PACKAGES.test(folder));
  return [...new Set([...packages, ...persons.split(delimiter), ...own])].filter(Boolean).join(delimiter);
}
