import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { VERSION } from '../../version.ts';
import { McpContext, type McpServerContext } from './mcp-context.ts';
import { boundText, type McpTool, type ToolAnswer } from './mcp-tool.ts';
import { MAX_ARGUMENT } from './prompts/mcp-prompt.ts';
import { PROMPTS } from './prompts/prompts.ts';
import { RESOURCES } from './resources/resources.ts';

const INSTRUCTIONS =
  'GuardKit enforces this project’s rules and remembers its work. Answers start with short lists; ask again by id for details.';

/** The server for one client. Every caller has an agent's rights. */
export function createMcpServer(shared: McpServerContext, tools: readonly McpTool[]): Server {
  const server = new Server(
    { name: 'guardkit', version: VERSION },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const context = new McpContext(shared);
    try {
      return { tools: await Promise.all(tools.map((tool) => describeTool(tool, context))) };
    } finally {
      await context.close();
    }
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, tools);
    const progressToken = params._meta?.progressToken;
    let told = 0;
    const progress = (message: string) => {
      if (progressToken === undefined) return;
      const notification = { progressToken, progress: ++told, message };
      // Safe: the client has disconnected.
      sendNotification({ method: 'notifications/progress', params: notification }).catch(() => {});
    };
    return toResult(await call(tool, new McpContext(shared, { signal, progress }), params.arguments ?? {}));
  });
  servePrompts(server, shared);
  serveResources(server, shared);
  return server;
}

async function describeTool(tool: McpTool, context: McpContext): Promise<Tool> {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(await tool.input(context), { io: 'input' });
  return ToolSchema.parse({
    name: tool.name,
    description: tool.description,
    inputSchema,
    annotations: { readOnlyHint: tool.readOnly, openWorldHint: false },
  });
}

/** Never throws: the model gets the error and can often fix it. */
async function call(tool: McpTool, context: McpContext, input: unknown): Promise<ToolAnswer> {
  try {
    return await tool.run(context, input);
  } catch (error) {
    const code = error instanceof GuardKitError ? error.code : 'unexpected';
    return { refused: true, code, text: describeFailure(error) };
  } finally {
    await context.close();
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof GuardKitError) return `${error.message}\n${error.hint}`;
  return `GuardKit failed: ${error instanceof Error ? error.message : String(error)}`;
}

function toResult({ text, refused = false, code }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: boundText(text) }],
    ...(refused ? { isError: true } : {}),
    ...(code === undefined ? {} : { _meta: { 'guardkit/code': code } }),
  };
}

function unknownTool(name: string, tools: readonly McpTool[]): McpError {
  const names = tools.map((tool) => tool.name);
  const meant = nearestWord(name, names);
  return new McpError(
    ErrorCode.InvalidParams,
    `No tool ${JSON.stringify(name.slice(0, 60))}.${didYouMean(meant)} Tools: ${names.join(', ')}.`,
  );
}

const MIME = 'text/plain';

/** Resources that people can add to a conversation. */
function serveResources(server: Server, shared: McpServerContext): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: RESOURCES.map(({ uri, name, description }) => ({ uri, name, description, mimeType: MIME })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (!resource) {
      const uris = RESOURCES.map((one) => one.uri).join(', ');
      throw new McpError(
        ErrorCode.InvalidParams,
        `No resource ${JSON.stringify(uri.slice(0, 60))}. Resources: ${uris}.`,
      );
    }
    const context = new McpContext(shared);
    try {
      return { contents: [{ uri, mimeType: MIME, text: boundText(await resource.text(context)) }] };
    } finally {
      await context.close();
    }
  });
}

/** Prompts that people start by name. */
function servePrompts(server: Server, shared: McpServerContext): void {
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
    const context = new McpContext(shared);
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
    `No prompt ${JSON.stringify(name.slice(0, 60))}. Prompts: ${names}.`,
  );
}
