import { findAgent } from '../../platform/person.ts';
import { WatchTables } from '../../store/ledger/watch-tables.ts';
import { type ActionWindow, readWindows } from '../windows/window.ts';
import type { ListPlace } from './known-list.ts';
import type { ListDoer } from './list-doer.ts';

/** Whose doing a command finds in a checkout: an agent's while one acts there, or where one started the command. */
export function currentDoer(place: ListPlace, env: NodeJS.ProcessEnv): ListDoer {
  const [open] = openWindows(place);
  if (open) {
    const { agent, agent_type, agent_id } = open.body;
    return {
      inWindow: true,
      actor: { agent, session: open.session, type: agent_type ?? undefined, id: agent_id ?? undefined },
      action: open.action,
    };
  }
  if (findAgent(env) === undefined) return { inWindow: false };
  return {
    inWindow: true,
    actor: { agent: 'unknown', session: 'unknown', type: undefined, id: undefined },
    action: null,
  };
}

/**
 * Kinds of subagents that act in a checkout now: whose hook finds a change first is chance. Not the agent that started
 * them, which as a rule only waits for them, and would lend them its rights all the time.
 */
export function actingBeside(place: ListPlace): string[] {
  return [...new Set(openWindows(place).flatMap(({ body }) => body.agent_type ?? []))];
}

function openWindows({ ledger, project, checkout }: ListPlace): ActionWindow[] {
  return readWindows(new WatchTables(ledger)).filter(
    (window) => window.project === project && window.checkout === checkout,
  );
}
