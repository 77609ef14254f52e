import { findAgent } from '../../platform/processes/person.ts';
import { type AgentAction, openActions, watchTables } from '../actions/open-actions.ts';
import type { ChangeActor } from './change-actor.ts';
import type { FeatureListContext } from './known-list.ts';

/** The actor of a change that a command finds: an agent that acts in the checkout, or that started the command. */
export function currentDoer(context: FeatureListContext, env: NodeJS.ProcessEnv): ChangeActor {
  const [open] = actionsIn(context);
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
export function actingBeside(context: FeatureListContext): string[] {
  return [...new Set(actionsIn(context).flatMap(({ body }) => body.agent_type ?? []))];
}

function actionsIn({ ledger, project, checkout }: FeatureListContext): AgentAction[] {
  return openActions(watchTables(ledger)).filter(
    (action) => action.project === project && action.checkout === checkout,
  );
}
