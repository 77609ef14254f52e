import type { Actor } from '../../guards/action.ts';
import { findAgent } from '../../platform/processes/person.ts';
import { type AgentAction, openActions, watchTables } from '../actions/open-actions.ts';
import type { FeatureListContext } from './known-list.ts';

/** Who changed the list. */
export type ChangeActor =
  /** An agent, in its own action; `unknown` if either a person or an agent's process may have done it. */
  | { inWindow: true; actor: Actor; action: string | null; unknown?: true }
  /** A person, or git for a person. */
  | { inWindow: false };

/** The author of a change that a command finds: an agent acting in the checkout, or the one that started the command. */
export function currentActor(context: FeatureListContext, env: NodeJS.ProcessEnv): ChangeActor {
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
 * Types of the subagents acting in a checkout: any of their hooks may find a change first. Without the agent that started
 * them: it usually only waits, and its rights would extend to all of them.
 */
export function actingSubagents(context: FeatureListContext): string[] {
  return [...new Set(actionsIn(context).flatMap(({ body }) => body.agent_type ?? []))];
}

function actionsIn({ ledger, project, checkout }: FeatureListContext): AgentAction[] {
  return openActions(watchTables(ledger)).filter(
    (action) => action.project === project && action.checkout === checkout,
  );
}
