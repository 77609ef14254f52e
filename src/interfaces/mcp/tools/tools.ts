import { TASK_TOOLS, type ToolRole } from '../../../domain/entities/tool-role.ts';
import type { McpTool } from '../mcp-tool.ts';
import { createGuardTool } from './create-guard.ts';
import { extractPatternsTool } from './extract-patterns.ts';
import { featureUpdateTool } from './feature-update.ts';
import { getEntityTool } from './get-entity.ts';
import { knowledgeQueryTool } from './knowledge-query.ts';
import { knowledgeUpdateTool } from './knowledge-update.ts';
import { nextActionTool } from './next-action.ts';
import { queryLogsTool } from './query-logs.ts';
import { queryTracesTool } from './query-traces.ts';
import { searchMemoryTool } from './search-memory.ts';
import { storeTraceTool } from './store-trace.ts';
import { turnHistoryTool } from './turn-history.ts';
import { verifyFeatureTool } from './verify-feature.ts';

export const TOOLS: readonly McpTool[] = [
  nextActionTool,
  verifyFeatureTool,
  featureUpdateTool,
  turnHistoryTool,
  searchMemoryTool,
  getEntityTool,
  knowledgeQueryTool,
  knowledgeUpdateTool,
  queryLogsTool,
  queryTracesTool,
  storeTraceTool,
  extractPatternsTool,
  createGuardTool,
];

export function toolsFor(role: ToolRole | undefined): readonly McpTool[] {
  return role === undefined ? TOOLS : TOOLS.filter(({ name }) => TASK_TOOLS.includes(name));
}
