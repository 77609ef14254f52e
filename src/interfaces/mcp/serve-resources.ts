import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { boundText } from './bound-text.ts';
import { McpContext, type McpServerContext } from './mcp-context.ts';
import { RESOURCES } from './resources/resources.ts';

const MIME = 'text/plain';

/** What people can put into a conversation. */
export function serveResources(server: Server, world: McpServerContext): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: RESOURCES.map(({ uri, name, description }) => ({ uri, name, description, mimeType: MIME })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const resource = RESOURCES.find((one) => one.uri === uri);
    if (!resource) {
      const uris = RESOURCES.map((one) => one.uri).join(', ');
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no resource ${JSON.stringify(uri.slice(0, 60))}. There are ${uris}.`,
      );
    }
    const context = new McpContext(world);
    try {
      return { contents: [{ uri, mimeType: MIME, text: boundText(await resource.text(context)) }] };
    } finally {
      await context.close();
    }
  });
}
