import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { boundText } from './bound-text.ts';
import { McpContext, type McpServerContext } from './mcp-context.ts';
import { MAX_ARGUMENT } from './prompts/mcp-prompt.ts';
import { PROMPTS } from './prompts/prompts.ts';

/** What people ask for by name. */
export function servePrompts(server: Server, world: McpServerContext): void {
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: PROMPTS.map(({ name, description, argument }) => ({ name, description, arguments: [argument] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt) throw unknown(params.name);
    const { name, required } = prompt.argument;
    const given = (params.arguments?.[name] ?? '').slice(0, MAX_ARGUMENT).trim();
    if (required && given === '')
      throw new McpError(
        ErrorCode.InvalidParams,
        `${prompt.name} needs ${name}: ${prompt.argument.description}.`,
      );
    const context = new McpContext(world);
    try {
      const text = boundText(await prompt.text(context, given));
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    } finally {
      await context.close();
    }
  });
}

function unknown(name: string): McpError {
  const names = PROMPTS.map((prompt) => prompt.name).join(', ');
  return new McpError(
    ErrorCode.InvalidParams,
    `There is no prompt ${JSON.stringify(name.slice(0, 60))}. There are ${names}.`,
  );
}
