import { findAgent } from '../../platform/person.ts';
import { WatchTables } from '../../store/ledger/watch-tables.ts';
import { readWindows } from '../windows/window.ts';
import type { ListPlace } from './known-list.ts';
import type { ListDoer } from './list-doer.ts';

/** Whose doing a command finds in a checkout: an agent's while one acts there, or where one started the command. */
export function currentDoer({ ledger, project, checkout }: ListPlace, env: NodeJS.ProcessEnv): ListDoer {
  const open = readWindows(new WatchTables(ledger)).find(
    (window) => window.project === project && window.checkout === checkout,
  );
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
