/** Roles that get GuardKit's tools. A Coach judges only the given material. */
export const TOOL_ROLES = ['planner', 'player'] as const;

export type ToolRole = (typeof TOOL_ROLES)[number];

/** The tools that an agent of feature-build needs for its task. The others choose tasks, which the build does itself. */
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
