import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../../platform/files/path-inside.ts';
import { environmentOf, isRunning } from '../../platform/processes/process-table.ts';
import { watchTables } from '../actions/open-actions.ts';
import { knownSessions } from '../actions/sessions.ts';
import type { WatchContext } from '../watch/watch-context.ts';

export interface PersonsEnvironment {
  env: NodeJS.ProcessEnv;
  /** Names of what the agent had set or changed. */
  leftOut: string[];
}

/**
 * What a person gave an agent's program, in place of what the agent gives a command that judges its work: code that passes
 * with one variable, or with another program of the same name, would pass by the agent's own word. As it is where no agent
 * acts in the checkout, or where the system does not show it.
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

/** What shells and agents' programs set for whatever they start. */
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

/** Packages of the checkout itself, which a shell is told to take first. */
const PACKAGES = /\/(?:\.?venv\/bin|node_modules\/\.bin)\/?$/;

/** The person's folders before the agent's: what both have is the person's, and what only the agent's have is found. */
function mergedPath(agents: string, persons: string, checkout: string): string {
  const own = agents.split(delimiter).filter(isAbsolute);
  const packages = own.filter((folder) => isInside(folder, checkout) && PACKAGES.test(folder));
  return [...new Set([...packages, ...persons.split(delimiter), ...own])].filter(Boolean).join(delimiter);
}
