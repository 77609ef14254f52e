import {
  AGENT_WIRINGS,
  installedAgents,
  WIRED_AGENTS,
  type WiredAgent,
  wiredAgents,
} from '../../../enforcement/install/agent-wirings.ts';
import type { CliContext } from '../program/cli-command.ts';

export function agentTitles(agents: readonly WiredAgent[]): string {
  return agents.map((name) => AGENT_WIRINGS[name].title).join(' and ');
}

/** Existing hooks are kept up to date. Without an option, asks the person about each installed agent. */
export async function chooseAgents(
  context: CliContext,
  root: string,
  { agent, yes, person }: { agent: readonly WiredAgent[] | false | undefined; yes: boolean; person: boolean },
): Promise<WiredAgent[]> {
  if (agent === false) return [];
  const wired = wiredAgents(root);
  const chosen = new Set<WiredAgent>([...(agent ?? []), ...wired]);
  if (agent === undefined) {
    const offered = new Set<WiredAgent>(['claude', ...installedAgents(context.env, root)]);
    for (const name of offered)
      if (!chosen.has(name) && (yes || (person && (await wants(context, name))))) chosen.add(name);
  }
  return WIRED_AGENTS.filter((name) => chosen.has(name));
}

async function wants(context: CliContext, name: WiredAgent): Promise<boolean> {
  const { title } = AGENT_WIRINGS[name];
  const answer = await context.ask(
    `Install hooks for ${title}, so that GuardKit checks every action of the agent here? [Y/n] `,
  );
  return !/^n/i.test(answer.trim());
}
