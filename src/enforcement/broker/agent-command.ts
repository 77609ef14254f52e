import { existsSync } from 'node:fs';
import { findGitFolder } from '../../platform/git/git-folder.ts';
import { INSIDE_AGENT_VARIABLE } from '../../platform/processes/inside-agent.ts';
import { LEFT_OUT_VARIABLES } from '../install/launcher.ts';
import { programFile } from '../install/own-package.ts';
import { shellFolder } from '../shell/shell-folder.ts';
import { personsProgramEnvironment } from './persons-program.ts';
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
