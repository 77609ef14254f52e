import type { ListEditor } from '../../domain/feature-list/list-rights.ts';
import type { ChangeActor } from '../../enforcement/feature-list/change-actor.ts';
import { actingSubagents, currentActor } from '../../enforcement/feature-list/change-actor.ts';
import type { FeatureListContext } from '../../enforcement/feature-list/known-list.ts';

export interface AgentDoer {
  changedBy: Extract<ChangeActor, { inWindow: true }>;
  editor: ListEditor;
}

/**
 * The caller of a tool: the agent whose action is open here, according to the hooks. An unknown caller also counts as an agent;
 * a caller's claims about itself are ignored.
 */
export function callingAgent(context: FeatureListContext, env: NodeJS.ProcessEnv): AgentDoer {
  const current = currentActor(context, env);
  const changedBy = current.inWindow
    ? current
    : {
        inWindow: true as const,
        actor: { agent: 'unknown', session: 'unknown', type: undefined, id: undefined },
        action: null,
      };
  return {
    changedBy,
    editor: { kind: 'agent', type: changedBy.actor.type, beside: actingSubagents(context) },
  };
}
