import type { McpPrompt } from './mcp-prompt.ts';
import { precedentsPrompt } from './precedents.ts';
import { whyPrompt } from './why.ts';

export const PROMPTS: readonly McpPrompt[] = [whyPrompt, precedentsPrompt];
