import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { environmentOf, isRunning } from '../../platform/processes/process-table.ts';
import { INSIDE_AGENT_VARIABLE } from '../../platform/processes/wrapper-profile.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';
import { WatchTables } from '../../store/ledger/tables/watch-tables.ts';
import { LEFT_OUT_VARIABLES } from '../install/launcher.ts';
import { programFile } from '../install/own-package.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import type { AgentCommand } from './run-for-agent.ts';

/**
 * SIGUSR1 makes Node open its inspector, through which any process of the same user could run code in it. It cannot listen
 * on an address that no machine has (RFC 5737).
 */
export const WITHOUT_INSPECTOR = '--inspect-port=192.0.2.1:9229';

const LEFT_OUT: ReadonlySet<string> = new Set([...LEFT_OUT_VARIABLES.split(' '), 'GUARDKIT_RUN']);

export interface AgentCommandContext {
  dataFolder: string;
  /** The broker's own environment, for a folder in which no agent program of a person runs. */
  env: NodeJS.ProcessEnv;
}

/** GuardKit's own program, with the person's environment and an agent's rights. Nothing of the client's environment counts. */
export function agentCommand(
  { dataFolder, env }: AgentCommandContext,
  args: readonly string[],
  cwd: string,
): AgentCommand {
  const given = Object.entries(personsProgramEnvironment(dataFolder, cwd) ?? env);
  return {
    words: [process.execPath, WITHOUT_INSPECTOR, programFile(), ...args],
    cwd,
    env: {
      ...Object.fromEntries(given.filter(([name]) => !LEFT_OUT.has(name))),
      GUARDKIT_HOME: dataFolder,
      [INSIDE_AGENT_VARIABLE]: '1',
    },
  };
}

/**
 * Refuses a folder whose repository no person has set up: in a repository of its own an agent could configure what GuardKit
 * then runs outside the wrapper.
 */
export function requireSetUp({ dataFolder }: Pick<AgentCommandContext, 'dataFolder'>, cwd: string): void {
  const git = findGitFolder(cwd);
  if (!git || !existsSync(shellFolder(dataFolder, git).path))
    throw new Error(`${cwd} is not in a repository that \`guardkit init\` has set up`);
}

/** The part of a session's record that matters here. */
const sessionSchema = z.object({
  checkout: z.string(),
  process: z.object({ pid: z.int(), started: z.number() }).nullable(),
});

/**
 * The environment that a person gave to the agent program in a checkout: the one of its latest session, by hooks that ran
 * outside the wrapper. Undefined where no such program runs.
 */
function personsProgramEnvironment(dataFolder: string, cwd: string): NodeJS.ProcessEnv | undefined {
  const path = join(dataFolder, 'ledger.db');
  const git = findGitFolder(cwd);
  if (!git || !existsSync(path)) return undefined;
  const checkout = realpathSync(git.root);
  const ledger = openLedger({ path });
  try {
    const sessions = new WatchTables(ledger)
      .sessions()
      .sort((one, other) => other.seen_at - one.seen_at)
      .flatMap(({ body }) => sessionSchema.safeParse(JSON.parse(body)).data ?? []);
    for (const { process, checkout: own } of sessions) {
      if (own !== checkout || process === null || !isRunning(process)) continue;
      const entries = environmentOf(process.pid);
      if (entries.length > 0) return asEnvironment(entries);
    }
    return undefined;
  } finally {
    ledger.close();
  }
}

function asEnvironment(entries: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const at = entry.indexOf('=');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
    }),
  );
}
