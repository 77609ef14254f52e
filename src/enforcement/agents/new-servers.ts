import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findAgentHooks, SERVER_STARTERS } from './agent-hooks.ts';

/** Why servers in a new `.mcp.json` would start without the person's consent; undefined if a person at the terminal is asked. */
export function unaskedServers(agent: string, checkout: string): string | undefined {
  if (findAgentHooks(agent)?.asksAboutServers !== true)
    return 'only an agent whose program asks the person before it starts new servers may create it.';
  const starter = SERVER_STARTERS.find(({ settings }) => existsSync(join(checkout, settings)));
  return starter && `${starter.title} is also used in this project and starts its servers without asking.`;
}
