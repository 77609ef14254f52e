/** Roles whose agents are offered GuardKit's tools. A Coach only judges what lies before it. */
export const TOOL_ROLES = ['planner', 'player'] as const;

export type ToolRole = (typeof TOOL_ROLES)[number];

/** What an agent of feature-build needs for its task. The rest is about which task comes, and is settled around it. */
export const TASK_TOOLS: readonly string[] = [
  'knowledge_query',
  'knowledge_update',
  'query_logs',
  'search_memory',
  'get_entity',
  'turn_history',
  'query_traces',
  'store_trace',
];

export function hasTools(role: string): role is ToolRole {
  return TOOL_ROLES.some((one) => one === role);
}
